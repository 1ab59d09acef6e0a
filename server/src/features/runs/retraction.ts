import type { RunEvent } from './events.ts';

type Retraction = Extract<RunEvent, { type: 'guardrail' }>;

export const isRetraction = <E extends RunEvent>(event: E): event is E & Retraction =>
  event.type === 'guardrail' && event.retracts;

/** The same event of that step without what it said. Its place in the log stays: clients count by it. */
export const withoutWords =
  (step: number) =>
  <E extends RunEvent>(event: E): E => {
    if (!('step' in event) || event.step !== step) return event;
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') return { ...event, text: '', withheld: true };
    return event.type === 'tool-call' ? { ...event, input: {} } : event;
  };

/** Events that are about to be stored, less what a retraction among them takes back. */
export function afterRetractions(events: readonly RunEvent[]): readonly RunEvent[] {
  return events.filter(isRetraction).reduce((left, { step }) => left.map(withoutWords(step)), events);
}
