import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Files } from '../../files/service.ts';
import type { RunRow } from '../store.ts';

const pieceLength = 64 * 1024;

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + pieceLength, text.length);
    // Not between the halves of a character.
    if (to < text.length && /[\uD800-\uDBFF]/.test(required(text[to - 1]))) to++;
    yield Buffer.from(text.slice(from, to));
    from = to;
  }
}

/** Saves a complete long result as a file; its `source_metadata` names the origin. */
export const makeOutputSaver =
  ({ files }: { files: Pick<Files, 'save'> }) =>
  async (scope: Scope, run: RunRow, tool: string, text: string): Promise<{ id: string; name: string }> => {
    const { id: run_id, conversation_id } = run;
    const file = await files.save(scope, {
      filename: `${tool}-${Date.now()}.txt`,
      stream: bytesOf(text),
      source_metadata: { conversation_id, run_id, tool },
    });
    return { id: file.id, name: file.filename };
  };
