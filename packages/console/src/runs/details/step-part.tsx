import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../../api/session.ts';
import { traceTexts } from '../../text/traces.ts';
import type { Step } from '../runs.ts';
import { Json, LongText } from './long-text.tsx';
import type { StepPart } from './parts-of-step.ts';
import { PromptView } from './prompt-view.tsx';

const words = traceTexts.details;
const isFresh = (step: Step) => Date.now() - Date.parse(step.started_at) - step.ms < 30_000;

/** One part of a step's content. */
export function PartOfStep({ step, part }: { step: Step; part: StepPart }) {
  const { id: w } = useWorkspace();
  if (part === 'json')
    return (
      <div className="flex flex-col gap-3">
        {step.kind === 'run' && (
          <Link to="/w/$w/runs/$id" params={{ w, id: step.id }} className="text-label font-medium">
            {words.openRun}
          </Link>
        )}
        <LongText text={JSON.stringify(step, null, 2)} mono />
      </div>
    );
  if (step.kind === 'model') {
    if (!step.prompt && part !== 'answer') return <NotKept step={step} />;
    if (part === 'prompt' && step.prompt) return <PromptView prompt={step.prompt} />;
    if (part === 'settings' && step.prompt)
      return <Settings settings={{ model: step.model, ...step.prompt.settings }} />;
    return step.answer === null ? <NotKept step={step} /> : <LongText text={step.answer || words.none} />;
  }
  if (step.kind === 'tool' || step.kind === 'node') return <Json value={part === 'input' ? step.input : step.output} />;
  return null;
}

const NotKept = ({ step }: { step: Step }) => (
  <p className="text-dense text-text-2">{isFresh(step) ? words.soon : words.notKept}</p>
);

function Settings({ settings }: { settings: Readonly<Record<string, unknown>> }) {
  return (
    <dl className="grid grid-cols-[minmax(110px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-dense">
      {Object.entries(settings).map(([key, value]) => (
        <div key={key} className="contents">
          <dt className="font-mono text-code text-text-2">{key}</dt>
          <dd className="font-mono text-code break-words whitespace-pre-wrap">
            {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
