import { type Extract, NotExtractable } from '../../../drivers/extractors/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import { ToolError } from '../../tools/service.ts';
import type { ConversationFiles, KnownFile } from '../conversation-files/service.ts';

/** The most characters that are read of one file. */
const mostChars = 2_000_000;
const keptChars = 8_000_000;
const ocr = { enabled: true, max_pages: 10 };

export interface FileText {
  text: string;
  warnings: string[];
}

/** The texts of files, extracted like those of messages. A file never changes, so its text is cached. */
export function makeFileTexts({
  kept,
  extract,
}: {
  kept: Pick<ConversationFiles, 'read'>;
  extract: Extract;
}): FileTexts {
  const known = new Map<string, FileText>();
  let size = 0;

  function remember(id: string, read: FileText): void {
    known.set(id, read);
    size += read.text.length;
    for (const [oldest, { text }] of known) {
      if (size <= keptChars || oldest === id) break;
      known.delete(oldest);
      size -= text.length;
    }
  }

  return async (scope: Scope, file: KnownFile, signal: AbortSignal): Promise<FileText> => {
    const { id, filename, content_type } = file.file;
    const before = known.get(id);
    if (before) return before;
    const stream = await kept.read(scope, file);
    try {
      const { text, warnings } = await extract(stream, { filename, content_type, max_chars: mostChars, signal, ocr });
      const read = { text, warnings };
      if (!known.has(id)) remember(id, read);
      return read;
    } catch (error) {
      if (!(error instanceof NotExtractable)) throw error;
      throw new ToolError(`${file.path} could not be read: ${error.message}`);
    } finally {
      stream.destroy();
    }
  };
}

export type FileTexts = (scope: Scope, file: KnownFile, signal: AbortSignal) => Promise<FileText>;
