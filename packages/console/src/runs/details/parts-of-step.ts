import { sayCost, sayDuration, sayNumber } from '../../lib/numbers.ts';
import { traceTexts } from '../../text/traces.ts';
import type { Step, Trace } from '../runs.ts';

const words = traceTexts.details;
export type StepPart = 'prompt' | 'answer' | 'settings' | 'input' | 'output' | 'json';

/** What can be looked at of a step. */
export function partsOf(step: Step): readonly StepPart[] {
  if (step.kind === 'model') return ['prompt', 'answer', 'settings', 'json'];
  return step.kind === 'tool' || step.kind === 'node' ? ['input', 'output', 'json'] : ['json'];
}

/** A line below the name of a step: which of several it is, and how it went. */
export function describeStep(step: Step, trace: Trace): string {
  if (step.kind === 'model') {
    const calls = trace.steps.filter((other) => other.kind === 'model' && other.purpose === step.purpose);
    const at = calls.findIndex(({ id }) => id === step.id) + 1;
    const tries = step.attempt > 1 ? `, ${traceTexts.attempt(step.attempt)}` : '';
    return traceTexts.callOf(at, calls.length, traceTexts.purposes[step.purpose] ?? step.purpose) + tries;
  }
  if (step.kind === 'tool')
    return step.outcome ? (traceTexts.outcomes[step.outcome] ?? step.outcome) : traceTexts.running;
  if (step.kind === 'guardrail') return traceTexts.stages[step.stage] ?? step.stage;
  if (step.kind === 'node') return step.type ?? step.node_id;
  return step.running ? traceTexts.running : traceTexts.kinds[step.kind];
}

type Entry = readonly [name: string, value: string | undefined];
const cost = (dollars: number | null): Entry => [words.cost, dollars === null ? '–' : sayCost(dollars)];

/** The figures of a step, those that it has. */
export function figuresOf(step: Step): readonly Entry[] {
  const time: Entry = [words.time, sayDuration(step.ms)];
  switch (step.kind) {
    case 'model':
      return [
        time,
        [words.firstWord, step.ttft_ms === null ? undefined : sayDuration(step.ttft_ms)],
        [words.in, sayNumber(step.input_tokens)],
        [words.cached, step.cached_tokens > 0 ? sayNumber(step.cached_tokens) : undefined],
        [words.out, sayNumber(step.output_tokens)],
        [words.reasoning, step.reasoning_tokens > 0 ? sayNumber(step.reasoning_tokens) : undefined],
        cost(step.cost),
      ];
    case 'tool':
      return step.cost > 0 ? [time, cost(step.cost)] : [time];
    case 'wait':
      return [
        time,
        [words.decision, step.decision ? (traceTexts.decisions[step.decision] ?? step.decision) : undefined],
      ];
    case 'node':
      return [time, [words.status, step.status], [words.tries, step.attempt > 1 ? String(step.attempt) : undefined]];
    case 'run':
      return [
        time,
        [words.in, sayNumber(step.input_tokens)],
        [words.out, sayNumber(step.output_tokens)],
        cost(step.cost),
      ];
    default:
      return [time, [words.action, step.action ?? words.objected]];
  }
}
