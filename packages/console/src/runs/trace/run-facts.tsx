import { memo, type ReactNode } from 'react';
import { useReferenceName } from '../../forms/use-references.ts';
import { sayCost, sayDuration, sayNumber } from '../../lib/numbers.ts';
import { currentTimeZone, sayExactTime } from '../../lib/time.ts';
import { runTexts } from '../../text/runs.ts';
import { traceTexts } from '../../text/traces.ts';
import { isOver, type Run, type Trace } from '../runs.ts';

const words = traceTexts.facts;

interface RunFactsProps {
  run: Run;
  trace: Trace;
  endMs: number;
  waited: number;
}

/** Whose run it is, when it was, and what it and all runs below it have used. */
export const RunFacts = memo(function RunFacts({ run, trace, endMs, waited }: RunFactsProps) {
  const workflow = useReferenceName('workflow', trace.workflow_id ?? '');
  const name = run.agent?.name ?? workflow ?? runTexts.workflow;
  const { input_tokens, output_tokens, cost } = trace.whole;
  return (
    <dl aria-label={words.label} className="flex flex-1 flex-wrap gap-x-8 gap-y-2 text-dense max-phone:gap-x-5">
      <Fact name={trace.kind === 'workflow' ? words.workflow : words.agent}>
        {run.version?.number ? words.version(name, run.version.number) : name}
      </Fact>
      <Fact name={words.started}>
        <time dateTime={trace.started_at} title={sayExactTime(trace.started_at)}>
          {new Date(trace.started_at).toLocaleString('en-GB', {
            dateStyle: 'medium',
            timeStyle: 'medium',
            timeZone: currentTimeZone(),
          })}
        </time>
      </Fact>
      <Fact name={words.took}>
        {isOver(trace.status) ? sayDuration(endMs) : words.soFar(sayDuration(endMs))}
        {waited > 0 && <span className="font-normal text-text-2"> {words.waiting(sayDuration(waited))}</span>}
      </Fact>
      <Fact name={words.tokens}>{sayNumber(input_tokens + output_tokens)}</Fact>
      <Fact name={words.cost}>{cost === null ? <span title={runTexts.unknownCost}>–</span> : sayCost(cost)}</Fact>
      <Fact name={words.by}>{run.person?.name ?? run.actor?.name ?? runTexts.program}</Fact>
    </dl>
  );
});

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-text-2">{name}</dt>
    <dd className="num text-label font-medium">{children}</dd>
  </div>
);
