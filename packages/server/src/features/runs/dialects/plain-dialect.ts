import type { Frame } from '../../../lib/responses/sse-frame.ts';
import type { UiChunk } from '../../messages/ports.ts';
import { makeChunks } from '../../messages/service.ts';
import type { Dialect, DialectContext } from './ui-dialect.ts';

/** The oldest clients stop at the first of these; those that came later wait for the second. */
export const plainEnd: Frame[] = [
  { data: JSON.stringify({ role: 'assistant', type: 'conversation_end' }) },
  { event: 'done', data: '{}' },
];

/** What a client that only joins the contents of all frames should have in the end: the reply. */
function contentOf(chunk: UiChunk): string {
  if (chunk.type === 'text-delta') return chunk.delta;
  return chunk.type === 'error' ? chunk.errorText : '';
}

/** UI frames that are also what clients knew before those: each with a role and a content. */
export function makePlainDialect({ display }: DialectContext): Dialect {
  const chunksOf = makeChunks(display);
  return (event) => {
    const frames = chunksOf(event).map((chunk) => ({
      data: JSON.stringify({ ...chunk, role: 'assistant', content: contentOf(chunk) }),
    }));
    return event.type === 'run-end' ? [...frames, ...plainEnd] : frames;
  };
}
