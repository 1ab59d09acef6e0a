import type { NumberedEvent } from '@atrium/contract/runs/events.ts';
import type { Frame } from '../../../lib/responses/sse-frame.ts';
import type { Display } from '../../messages/ports.ts';
import { makeChunks } from '../../messages/service.ts';

/** The display settings and the run, for every dialect. */
export interface DialectContext {
  display: Display;
  run_id: string;
  /** When the run was made, in ms. */
  created_ms: number;
}

/** Turns events into frames, one by one. Deterministic when it is fed from the first event on. */
export type Dialect = (event: NumberedEvent) => Frame[];

export const uiEnd: Frame[] = [{ data: '[DONE]' }];

/** The AI SDK's UI message stream, without ids. */
export function makeVercelDialect({ display }: DialectContext): Dialect {
  const chunksOf = makeChunks(display);
  return (event) => {
    const frames = chunksOf(event).map((chunk) => ({ data: JSON.stringify(chunk) }));
    return event.type === 'run-end' ? [...frames, ...uiEnd] : frames;
  };
}

/**
 * Adds ids to the frames. An event can produce several frames and the connection can break between them: the last frame
 * has the number of the event, earlier ones have the previous number and a frame count. Each id names the run, because
 * a client may reconnect during the next one.
 */
export function makeUiDialect(context: DialectContext): Dialect {
  const framesOf = makeVercelDialect(context);
  return (event) =>
    framesOf(event).map((frame, index, { length }) => ({
      ...frame,
      id: `${context.run_id}:${index + 1 === length ? event.seq : `${event.seq - 1}.${index + 1}`}`,
    }));
}
