import { useReferenceName } from '../../forms/use-references.ts';
import { sayCost, sayNumber } from '../../lib/numbers.ts';
import { traceTexts } from '../../text/traces.ts';
import { Banner } from '../../ui/banner.tsx';
import { hiddenOf, nameRun, type Run, type Trace } from '../runs.ts';
import { StepIcon } from '../trace/step-icon.tsx';
import { Figures } from './figures.tsx';
import { HiddenNote } from './hidden-note.tsx';
import { Json } from './long-text.tsx';
import { Box } from './prompt-view.tsx';
import { TimeParts } from './time-parts.tsx';

const words = traceTexts.details;

/** The run as a whole: what it was asked, what it used, and why it failed. */
export function RunDetails({ run, trace }: { run: Run; trace: Trace }) {
  const { input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost } = trace.whole;
  const hidden = hiddenOf(run) ?? trace.hidden;
  const workflow = useReferenceName('workflow', run.kind === 'workflow' ? run.workflow_id : '');
  return (
    <div className="flex flex-col">
      <header className="flex items-center gap-2.5 px-4 py-3">
        <StepIcon step={undefined} isFailed={trace.status === 'failed'} size={17} />
        <div className="min-w-0">
          <h2 className="truncate text-label font-semibold">{run.agent?.name ?? workflow ?? nameRun(run)}</h2>
          <p className="text-dense text-text-2">{traceTexts.count(trace.steps.length)}</p>
        </div>
      </header>
      <Figures
        entries={[
          [words.in, sayNumber(input_tokens)],
          [words.cached, cached_tokens > 0 && sayNumber(cached_tokens)],
          [words.out, sayNumber(output_tokens)],
          [words.reasoning, reasoning_tokens > 0 && sayNumber(reasoning_tokens)],
          [words.cost, cost === null ? '–' : sayCost(cost)],
        ].map(([name, value]) => [String(name), value || undefined] as const)}
      />
      <div className="flex flex-col gap-2.5 p-4">
        {run.error && (
          <Banner tone="bad" title={traceTexts.failed}>
            {run.error.message}
          </Banner>
        )}
        <TimeParts time={trace.time} />
        {hidden && <HiddenNote reason={hidden} />}
        {hidden !== 'not_yours' && (
          <Box title={words.input}>
            <Json value={run.kind === 'conversation' ? run.input['content'] : run.input} />
          </Box>
        )}
        {run.kind === 'workflow' && run.output && (
          <Box title={words.output}>
            <Json value={run.output} />
          </Box>
        )}
      </div>
    </div>
  );
}
