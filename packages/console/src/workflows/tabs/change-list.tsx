import { flowTexts } from '../../text/workflow-editor.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';
import { ValueDiff, WordDiff } from '../../ui/diff.tsx';
import { nameOf } from '../graph/catalogue.ts';
import type { Change, GraphChanges, StepChange } from '../graph/compare-graphs.ts';
import type { Catalogue } from '../graph/graph-types.ts';
import { stepFields } from '../graph/step-fields.ts';

const words = workflowTexts.changes;
const tones: Record<Change, Tone> = { added: 'ok', removed: 'bad', changed: 'warn', moved: 'plain' };
const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 1);

/** What differs between two graphs, step by step. */
export function ChangeList({ changes, catalogue }: { changes: GraphChanges; catalogue: Catalogue }) {
  const { steps, edges } = changes;
  const names = new Map(
    steps.flatMap(({ id, before, after }) => {
      const step = after ?? before;
      return step ? [[id, nameOf(step, catalogue)] as const] : [];
    }),
  );
  const nameOfId = (id: string) => names.get(id) ?? id;
  if (steps.length + edges.length === 0)
    return <p className="text-dense text-text-2">{workflowTexts.versions.nothing}</p>;
  return (
    <ul className="divide-y divide-line rounded-3 border border-line">
      {steps.map((step) => (
        <li key={step.id} className="px-3.5 py-2.5">
          <p className="flex items-center gap-2 text-label">
            <Chip tone={tones[step.change]}>{words[step.change]}</Chip>
            <span className="truncate font-medium">{nameOfId(step.id)}</span>
          </p>
          {step.change === 'changed' && <Fields step={step} catalogue={catalogue} />}
        </li>
      ))}
      {edges.map(({ change, edge }) => (
        <li key={`${change}-${edge.id}`} className="flex items-center gap-2 px-3.5 py-2 text-dense">
          <Chip tone={tones[change]}>{words[change]}</Chip>
          <span className="text-text-3">{words.connection}</span>
          <span className="truncate">{words.edge(nameOfId(edge.from_id.node_id), nameOfId(edge.to_id.node_id))}</span>
        </li>
      ))}
    </ul>
  );
}

function Fields({ step: { fields, after }, catalogue }: { step: StepChange; catalogue: Catalogue }) {
  const type = after && catalogue.get(after.type);
  const labels = new Map(type ? stepFields(type).map(({ key, label }) => [key, label]) : []);
  return (
    <dl className="mt-1.5 flex flex-col gap-1.5">
      {fields.map(({ key, before, after: now }) => {
        const [old, next] = [textOf(before), textOf(now)];
        const isLong = old.length + next.length > 80 && old !== '' && next !== '';
        return (
          <div key={key}>
            <dt className="text-caption text-text-3">{words.own[key] ?? labels.get(key) ?? key}</dt>
            <dd>
              {isLong ? (
                <WordDiff before={old} after={next} />
              ) : (
                <ValueDiff before={old || flowTexts.thisRun.nothing} after={next || flowTexts.thisRun.nothing} />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
