import type { Frame } from '../../../lib/responses/sse-frame.ts';
import { makeChunks } from '../../messages/service.ts';
import type { Dialect, DialectContext } from './ui-dialect.ts';

export const jsonEnd: Frame[] = [{ event: 'done', data: '{}' }];

/** Envelopes with the number of the event each frame belongs to. No ids: some clients stumble over those. */
export function makeJsonDialect({ display }: DialectContext): Dialect {
  const chunksOf = makeChunks(display);
  return (event) => {
    const frames = chunksOf(event).map(({ type, ...data }) => ({
      event: 'message',
      data: JSON.stringify({ event: type, data, seq: event.seq }),
    }));
    return event.type === 'run-end' ? [...frames, ...jsonEnd] : frames;
  };
}
