import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/states.tsx';
import { type Evaluation, type EvaluationRunItem, isOver, setRunQuery, useVersionNames } from '../evaluations.ts';
import { RunResults } from './run-results.tsx';

const words = evaluationTexts.runs;
const tones = { queued: 'plain', running: 'accent', completed: 'ok', failed: 'bad' } as const;

interface RunsPartProps {
  set: Evaluation;
  runs: readonly EvaluationRunItem[];
  chosen: string | undefined;
  onChoose: (run: string) => void;
  onCompare: (from: string, to: string) => void;
  onMore: (() => void) | undefined;
}

/** The runs of a set, and the results of the chosen one, which fill while it goes on. */
export function RunsPart({ set, runs, chosen, onChoose, onCompare, onMore }: RunsPartProps) {
  const { nameRun } = useVersionNames(set.agent_id);
  const shown = chosen ?? runs[0]?.id;
  if (runs.length === 0) return <EmptyState icon={<Play size={20} aria-hidden />} {...words.none} />;
  return (
    <div className="grid items-start gap-4 narrow:grid-cols-[280px_minmax(0,1fr)]">
      <div className="flex flex-col gap-2">
        <ul aria-label={words.label} className="divide-y divide-line overflow-hidden rounded-3 border border-line">
          {runs.map((run) => (
            <li key={run.id}>
              <RunEntry
                setId={set.id}
                run={run}
                name={nameRun(run)}
                isShown={run.id === shown}
                onChoose={() => onChoose(run.id)}
              />
            </li>
          ))}
        </ul>
        {onMore && <Button onClick={onMore}>{t.ui.loadMore}</Button>}
      </div>
      {shown && (
        <RunResults
          key={shown}
          set={set}
          runId={shown}
          others={runs.filter(({ id }) => id !== shown).map((run) => ({ value: run.id, label: nameRun(run) }))}
          onCompare={(from) => onCompare(from, shown)}
        />
      )}
    </div>
  );
}

interface RunEntryProps {
  setId: string;
  run: EvaluationRunItem;
  name: string;
  isShown: boolean;
  onChoose: () => void;
}

function RunEntry({ setId, run, name, isShown, onChoose }: RunEntryProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { data } = useQuery(setRunQuery(client, w, setId, run.id));
  const status = data?.status ?? run.status;
  const summary = data?.summary;
  return (
    <button
      type="button"
      aria-current={isShown || undefined}
      onClick={onChoose}
      className={cx(
        'flex w-full flex-col gap-1 px-3.5 py-2.5 text-left -outline-offset-2',
        isShown && 'bg-accent-soft',
      )}
    >
      <span className="flex w-full items-center gap-2">
        <span className="num min-w-0 flex-1 truncate font-medium">{name}</span>
        <Chip tone={tones[status]} dot>
          {words.statuses[status]}
        </Chip>
      </span>
      {summary && (
        <span className="num text-dense text-text-2">
          {isOver(status) ? words.passed(summary.passed, summary.cases) : words.progress(summary.done, summary.cases)}
        </span>
      )}
      {summary && !isOver(status) && (
        <span aria-hidden className="h-1 w-full overflow-hidden rounded-full bg-sunken">
          <span
            className="block h-full bg-accent"
            style={{ width: `${(summary.done / Math.max(1, summary.cases)) * 100}%` }}
          />
        </span>
      )}
    </button>
  );
}
