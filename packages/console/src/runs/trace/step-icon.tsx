import { Bot, GitFork, Hand, ShieldCheck, Sparkles, SquareFunction, Wrench } from 'lucide-react';
import { cx } from '../../ui/cx.ts';
import type { Step } from '../runs.ts';

const icons = {
  ...{ model: Sparkles, tool: Wrench, wait: Hand, node: SquareFunction, run: GitFork, guardrail: ShieldCheck },
} as const;
const colors = {
  ...{ model: 'text-c3', tool: 'text-c4', wait: 'text-c2-deep', node: 'text-c1', run: 'text-c1', guardrail: 'text-c5' },
} as const;

export function StepIcon({ step, size = 15 }: { step: Step | undefined; size?: number }) {
  const Icon = step ? icons[step.kind] : Bot;
  const color = step ? (step.error ? 'text-bad' : colors[step.kind]) : 'text-accent';
  return <Icon size={size} aria-hidden className={cx('flex-none', color)} />;
}

const grounds = {
  ...{ model: 'bg-c3', tool: 'bg-c4', node: 'bg-c1', run: 'bg-c1', guardrail: 'bg-c5' },
  wait: 'border border-c2-deep bg-[repeating-linear-gradient(135deg,var(--c2-deep)_0_4px,transparent_4px_8px)]',
} as const;
/** The look of a step's bar: waits are hatched, failures red. */
export const barLook = (step: Step | undefined): string =>
  step === undefined ? 'bg-accent' : step.error && step.kind !== 'wait' ? 'bg-bad' : grounds[step.kind];
