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

/** Turns events into frames, one by one. Fed from the first event on, it always says the same. */
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
 * The same with ids. An event may be several frames and a connection may break between them: the last one has the
 * event's number, those before it say how many frames after the event before have come. The run stands in each, for a
 * client may come back when the next one is under way.
 */
export function makeUiDialect(context: DialectContext): Dialect {
  const framesOf = makeVercelDialect(context);
  return (event) =>
    framesOf(event).map((frame, index, { length }) => ({
      ...frame,
      id: `${context.run_id}:${index + 1 === length ? event.seq : `${event.seq - 1}.${index + 1}`}`,
    }));
}
