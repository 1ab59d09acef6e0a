import type { GuardrailSummary, RunEvent } from '@atrium/contract/runs/events.ts';
import { noUsage } from '@atrium/contract/runs/events.ts';
import type { GuardrailStop } from './guardrail-stop.ts';

/** The last event that a node writes for a run. */
export type Ending = RunEvent & { type: 'run-end' | 'run-pause' };

const whatWas = { input: 'The message', tool: 'What a tool found', output: 'The reply' };
/** The default text, when the settings have none. */
const ourWords = 'This reply was withheld.';

/** How a run ends that a guardrail has stopped. */
export function endingOfStop({ action, stage, objections }: GuardrailStop): Ending {
  if (action === 'replace') return { type: 'run-end', status: 'completed', error: null };
  if (action === 'human') return { type: 'run-pause' };
  const names = objections.map(({ category }) => category).join(', ');
  const message = `${whatWas[stage]} was stopped by a guardrail: ${names}`;
  return { type: 'run-end', status: 'failed', error: { code: 'guardrail_violation', message } };
}

/** The events in place of the reply: another text with its footer, the footer of a refusal, or a handover to a person. */
export function replacementEvents({ action, text, footer }: GuardrailStop, seen: readonly RunEvent[]): RunEvent[] {
  if (action === 'human') return [{ type: 'handover', note: text }];
  const below: RunEvent[] = footer === null ? [] : [{ type: 'footer', text: footer }];
  if (action === 'fail') return below;
  const last = seen.findLast((event) => event.type === 'step-start');
  const step = (last?.type === 'step-start' ? last.step : 0) + 1;
  return [
    { type: 'step-start', step },
    { type: 'text-delta', step, text: text || ourWords },
    { type: 'step-end', step, finish_reason: 'content-filter', model: 'guardrail', usage: noUsage, attempts: [] },
    ...below,
  ];
}

/** Summarizes the guardrail verdicts of a run; null when no guardrail ran. */
export function guardrailSummary(seen: readonly RunEvent[]): GuardrailSummary | null {
  const verdicts = seen.filter((event) => event.type === 'guardrail');
  if (verdicts.length === 0) return null;
  const heard = verdicts.filter(({ stage }) => stage === 'input');
  return {
    input_passed: heard.every(({ action, failed }) => !failed && (action === null || action === 'warn')),
    ms: verdicts.reduce((sum, { ms }) => sum + ms, 0),
    objections: verdicts.flatMap(({ objections, stage, action }) =>
      action === null ? [] : objections.map((objection) => ({ ...objection, stage, action })),
    ),
  };
}
