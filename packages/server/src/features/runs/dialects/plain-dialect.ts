import type { Frame } from '../../../lib/responses/sse-frame.ts';
import type { UiChunk } from '../../messages/ports.ts';
import { makeChunks } from '../../messages/service.ts';
import type { Dialect, DialectContext } from './ui-dialect.ts';

/** The oldest clients stop at the first of these; those that came later wait for the second. */
export const plainEnd: Frame[] = [
  { data: JSON.stringify({ role: 'assistant', type: 'conversation_end' }) },
  { event: 'done', data: '{}' },
];

/** The text of a chunk: a client that joins the contents of all frames gets the reply. */
function contentOf(chunk: UiChunk): string {
  if (chunk.type === 'text-delta') return chunk.delta;
  return chunk.type === 'error' ? chunk.errorText : '';
}

/** UI frames for older clients: each also has a role and a content. */
export function makePlainDialect({ display }: DialectContext): Dialect {
  const chunksOf = makeChunks(display);
  return (event) => {
    const frames = chunksOf(event).map((chunk) => ({
      data: JSON.stringify({ ...chunk, role: 'assistant', content: contentOf(chunk) }),
    }));
    return event.type === 'run-end' ? [...frames, ...plainEnd] : frames;
  };
}
