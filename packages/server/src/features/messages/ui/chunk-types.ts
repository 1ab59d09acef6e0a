import type { RunEvent } from '@atrium/contract/runs/events.ts';

export type { ToolMetadata, UiChunk } from '@atrium/contract/runs/ui-chunk.ts';

export type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

/** A run's event as streams and stored messages have it: the end of a step has only its reason. */
export type EmittedEvent =
  | Exclude<RunEvent, { type: 'step-end' }>
  | Pick<EventOf<'step-end'>, 'type' | 'finish_reason'>;
