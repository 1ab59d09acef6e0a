import { Bot, CircleX, GitFork, Hand, Hourglass, ShieldCheck, Sparkles, SquareFunction, Wrench } from 'lucide-react';
import { cx } from '../../ui/cx.ts';
import type { Gap, Step } from '../runs.ts';

const icons = {
  ...{ model: Sparkles, tool: Wrench, wait: Hand, node: SquareFunction, run: GitFork, guardrail: ShieldCheck },
} as const;
const colors = {
  ...{ model: 'text-c3', tool: 'text-c4', wait: 'text-c2-deep', node: 'text-c1', run: 'text-c1', guardrail: 'text-c5' },
} as const;

interface Look {
  /** Undefined: the run itself, or a time without a step. */
  step: Step | undefined;
  gap?: Gap | undefined;
  /** The run has failed. */
  isFailed?: boolean | undefined;
}

export function StepIcon({ step, gap, isFailed, size = 15 }: Look & { size?: number }) {
  const Icon = gap ? Hourglass : step ? icons[step.kind] : isFailed ? CircleX : Bot;
  const color = gap
    ? 'text-text-3'
    : step
      ? step.error
        ? 'text-bad'
        : colors[step.kind]
      : isFailed
        ? 'text-bad'
        : 'text-accent';
  return <Icon size={size} aria-hidden className={cx('flex-none', color)} />;
}

const grounds = {
  ...{ model: 'bg-c3', tool: 'bg-c4', node: 'bg-c1', run: 'bg-c1', guardrail: 'bg-c5' },
  wait: 'border border-c2-deep bg-[repeating-linear-gradient(135deg,var(--c2-deep)_0_4px,transparent_4px_8px)]',
} as const;
/** The look of a row's bar: waits and times without a step are hatched, failures red, that of the run too. */
export function barLook({ step, gap, isFailed }: Look): string {
  if (gap) return 'hatched text-text-3';
  if (!step) return isFailed ? 'bg-bad' : 'bg-accent';
  return step.error && step.kind !== 'wait' ? 'bg-bad' : grounds[step.kind];
}
