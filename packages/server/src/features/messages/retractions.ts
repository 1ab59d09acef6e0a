import type { RunEvent } from '@atrium/contract/runs/events.ts';

type Retraction = Extract<RunEvent, { type: 'guardrail' | 'attempt-start' }>;

/** Whether the event permanently retracts the text of its step. */
export const isRetraction = <E extends RunEvent>(event: E): event is E & Retraction =>
  (event.type === 'guardrail' && event.retracts) || (event.type === 'attempt-start' && event.withheld === true);

/** Removes the text from events of a step. Their numbers in the log stay, because clients count them. */
export const dropWithheldText =
  (step: number) =>
  <E extends RunEvent>(event: E): E => {
    if (!('step' in event) || event.step !== step) return event;
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') return { ...event, text: '', withheld: true };
    if (event.type === 'source') {
      const { place: _, images: __, ...left } = event;
      return { ...left, url: null, title: '', quote: null } as E;
    }
    return event.type === 'tool-call' ? { ...event, input: {} } : event;
  };

/** Removes retracted text from events that are about to be stored. */
export function applyRetractions<E extends RunEvent>(events: readonly E[]): readonly E[] {
  if (!events.some(isRetraction)) return events;
  let left: E[] = [];
  for (const event of events) {
    if (isRetraction(event)) left = left.map(dropWithheldText(event.step));
    left.push(event);
  }
  return left;
}
