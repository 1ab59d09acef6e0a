import { ChevronDown, ChevronRight, CircleCheck, CircleX, Clock } from 'lucide-react';
import { type ComponentType, memo, type ReactNode, useEffect, useId, useState } from 'react';
import { sayDuration } from '../../lib/numbers.ts';
import { t } from '../../text/en.ts';
import { Spinner } from '../../ui/spinner.tsx';
import type { ChatMessage, UiPart } from '../thread/message-types.ts';
import { isFailed, isRunning } from './describe-step.ts';
import { StepLine, StepRow } from './work-step.tsx';

/** Seconds since a time, drawn again each second while it counts. */
function useElapsed(since: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (since === undefined) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [since]);
  return since === undefined ? 0 : Math.max(0, now - since);
}

export interface StepsProps {
  steps: readonly UiPart[];
  /** Undefined while the run goes on, and where it is not known. */
  runId: string | undefined;
}

const PlainSteps = ({ steps }: StepsProps) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: steps only follow each other.
  steps.map((part, index) => <StepRow key={index} part={part} />);

interface WorkGroupProps {
  steps: readonly UiPart[];
  /** Nothing of the message comes after these steps yet. */
  last: boolean;
  writing: boolean;
  message: Pick<ChatMessage, 'metadata' | 'started' | 'state'>;
  /** At the right once the work is done: the way to its trace. It depends on the message's metadata alone. */
  beside?: ReactNode;
  /** What draws the steps once the group is opened. */
  Steps?: ComponentType<StepsProps>;
}

/** A call that a person was asked about, or that is a question to one, has no result while its message waits. */
const isWaiting = (state: ChatMessage['state'], steps: readonly UiPart[]) =>
  steps.some(
    (step) => step.state === 'approval-requested' || (state === 'waiting' && step.state === 'input-available'),
  );

/** What an agent did before it spoke: a line while it works, folded when it is done. */
export const WorkGroup = memo(
  function WorkGroup({ steps, last, writing, message, beside, Steps = PlainSteps }: WorkGroupProps) {
    const [open, setOpen] = useState(false);
    const id = useId();
    const working = writing && last;
    const elapsed = useElapsed(working ? message.started : undefined);
    const current = working ? (steps.findLast(isRunning) ?? steps.at(-1)) : undefined;
    const { ms, run_id } = message.metadata ?? {};
    const failed = steps.some(isFailed);
    const waits = !working && isWaiting(message.state, steps);
    const count = steps.filter(({ type }) => type !== 'reasoning').length;
    const Chevron = open ? ChevronDown : ChevronRight;
    return (
      <section className="my-3 overflow-hidden rounded-3 border border-line first:mt-0">
        <div className="flex items-center bg-surface pr-3.5">
          <button
            type="button"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
            className="flex min-h-9 min-w-0 flex-1 items-center gap-2 px-3 py-1.5 text-left text-dense font-medium text-text-2 outline-offset-[-2px] hover:bg-bg pointer-coarse:min-h-11"
          >
            {working ? <Spinner /> : <Chevron size={14} aria-hidden className="flex-none" />}
            {current ? (
              <StepLine part={current} />
            ) : (
              <span className="truncate">
                {waits
                  ? t.chat.work.waits
                  : count === 0
                    ? t.chat.work.thought
                    : ms === undefined
                      ? t.chat.work.done
                      : t.chat.work.workedFor(sayDuration(ms))}
              </span>
            )}
            <span className="num font-normal whitespace-nowrap text-text-3">
              {working ? elapsed >= 1000 && sayDuration(elapsed) : count > 0 && t.chat.work.steps(count)}
            </span>
            {!working && (
              <span className="ml-auto narrow:hidden">
                {waits ? (
                  <Clock size={16} className="text-warn" aria-hidden />
                ) : failed ? (
                  <CircleX size={16} className="text-bad" aria-hidden />
                ) : (
                  <CircleCheck size={16} className="text-ok" aria-hidden />
                )}
              </span>
            )}
          </button>
          {!working && beside}
        </div>
        {open && (
          <ol id={id}>
            <Steps steps={steps} runId={working ? undefined : run_id} />
          </ol>
        )}
      </section>
    );
  },
  (before, after) =>
    before.last === after.last &&
    before.writing === after.writing &&
    before.message.state === after.message.state &&
    before.message.metadata === after.message.metadata &&
    before.steps.length === after.steps.length &&
    before.steps.every((step, index) => step === after.steps[index]),
);
