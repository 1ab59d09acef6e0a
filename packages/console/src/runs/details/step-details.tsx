import { RotateCw } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMay } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { traceTexts } from '../../text/traces.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import type { Step, Trace } from '../runs.ts';
import { nameStep } from '../trace/name-step.ts';
import { StepIcon } from '../trace/step-icon.tsx';
import { Figures } from './figures.tsx';
import { HiddenNote } from './hidden-note.tsx';
import { describeStep, figuresOf, partsOf } from './parts-of-step.ts';
import { PartOfStep } from './step-part.tsx';

const CallAgain = lazyPart(() => import('../again/call-again.tsx').then(({ CallAgain }) => ({ default: CallAgain })));
const words = traceTexts.details;

interface StepDetailsProps {
  trace: Trace;
  step: Step;
  part: string | undefined;
  onPart: (part: string) => void;
}

/** One step: its figures, and its content part by part. */
export function StepDetails({ trace, step, part, onPart }: StepDetailsProps) {
  const may = useMay();
  const [again, setAgain] = useState(false);
  const parts = partsOf(step);
  const shown = parts.find((one) => one === part) ?? parts[0] ?? 'json';
  const isFlow = trace.kind === 'workflow';
  const mayCall = isFlow ? may('flows_edit') && may('flows_run') : may('agents_edit') && may('conversations_read');
  const refused =
    (!mayCall && (isFlow ? traceTexts.again.needsFlows : traceTexts.again.needs)) ||
    (step.kind === 'model' && !step.prompt && traceTexts.again.notKept);
  return (
    <div className="flex flex-col">
      <header className="flex flex-wrap items-center gap-2.5 px-4 py-3">
        <StepIcon step={step} size={17} />
        <div className="min-w-0 flex-1">
          <h2 className="text-label font-semibold break-words">{nameStep(step).name}</h2>
          <p className="text-dense text-text-2">{describeStep(step, trace)}</p>
        </div>
        {step.kind === 'model' && step.purpose === 'reply' && (
          <Button icon={<RotateCw size={14} aria-hidden />} refused={refused} onClick={() => setAgain(true)}>
            {words.retry}
          </Button>
        )}
      </header>
      <Figures entries={figuresOf(step)} />
      {'error_message' in step && step.error_message && (
        <div className="px-4 pt-3">
          <Banner tone="bad" title={words.reason}>
            {step.error_message}
          </Banner>
        </div>
      )}
      {step.kind === 'model' && step.estimated && <p className="px-4 pt-3 text-dense text-text-2">{words.estimated}</p>}
      {trace.hidden ? (
        <div className="p-4">
          <HiddenNote reason={trace.hidden} />
        </div>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-2 px-4 pt-3">
            <Segmented
              label={words.parts}
              value={shown}
              options={parts.map((value) => ({ value, label: words[value] }))}
              onChange={onPart}
            />
            {shown === 'json' && <CopyButton text={JSON.stringify(step, null, 2)} label={words.copy} />}
          </div>
          <div className="p-4">
            <PartOfStep step={step} part={shown} />
          </div>
        </>
      )}
      <Suspense>
        {again && step.kind === 'model' && step.prompt && (
          <CallAgain runId={step.run_id} step={step} prompt={step.prompt} onClose={() => setAgain(false)} />
        )}
      </Suspense>
    </div>
  );
}
