import type { ItemOf } from '@atrium/sdk';
import { connectionTexts } from '../../text/connections.ts';
import type { Tone } from '../../ui/chip.tsx';

export type Webhook = ItemOf<'webhooks.list'>;
export type WebhookDelivery = ItemOf<'webhooks.listDeliveries'>;
const words = connectionTexts.webhooks;

/** How a webhook does, in a word. */
export function stateOf({ enabled, failing_since, last_delivered_at }: Webhook): { label: string; tone: Tone } {
  if (!enabled) return { label: words.states.off, tone: 'plain' };
  if (failing_since) return { label: words.states.failing, tone: 'bad' };
  return last_delivered_at ? { label: words.states.on, tone: 'ok' } : { label: words.states.unused, tone: 'info' };
}

type Family = keyof typeof words.families;
export const families = Object.keys(words.families) as Family[];
export const eventsOf = (family: string) =>
  Object.keys(words.eventNames).filter((event) => event.startsWith(`${family}.`) && event !== 'webhook.test');

/** "Runs, A document failed": families and events in words. */
export const sayEvents = (events: readonly string[]): string =>
  events.map((event) => words.families[event as Family] ?? words.eventNames[event] ?? event).join(', ');

/** The list with an event or a family switched on or off. A family takes the place of its events. */
export function toggleEvent(events: readonly string[], event: string, on: boolean): string[] {
  if (!on) return events.filter((other) => other !== event);
  return [...events.filter((other) => !other.startsWith(`${event}.`)), event];
}
