import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { File } from '@atrium/contract/files/schema.ts';
import type { Database } from '../../../db/database.ts';
import { BlobMissing, type BlobStore } from '../../../drivers/blobs/driver.ts';
import {
  type Extract,
  type Extracted,
  listPages,
  makeOutline,
  NotExtractable,
} from '../../../drivers/extractors/driver.ts';
import { errorCode } from '../../../lib/error-code.ts';
import { newId } from '../../../lib/ids.ts';
import { LruCache } from '../../../lib/lru-cache.ts';
import type { Scope } from '../../../lib/scope.ts';
import { cutBefore } from '../../../lib/text/cut-text.ts';
import type { FileText, FileTexts } from '../ports.ts';
import type { Files } from '../service.ts';
import * as store from './text-store.ts';

/** Raised when extractors or what is stored change, so that files are read again. */
const readers = 3;
/** The most characters of one file; when that takes too long, the beginning is read. */
const mostChars = 2_000_000;
const fewChars = 200_000;
/** The characters that this node keeps at hand. */
const keptChars = 8_000_000;
const mostBytes = 16 * 1024 * 1024;
/** Reading scans is slow: only the first pages of a long one are read, with a warning. */
const ocr = { enabled: true, max_pages: 10 };

type Head = Omit<FileText, 'text'>;

/** Others may have to do with this machine, so they are kept in its memory only. */
const lasting = new Set<NotExtractable['code']>(['encrypted', 'unsupported_type']);
const isTooSlow = (error: unknown) => error instanceof NotExtractable && error.code === 'too_slow';

/** Extracts the text of a file once and stores it beside the file, whose readers are its readers and with which it goes. */
export function makeFileTexts(deps: {
  db: Database;
  blobs: BlobStore;
  files: Pick<Files, 'bytes'>;
  extract: Extract;
}): FileTexts {
  const { db, blobs, files } = deps;
  // A file never changes, so neither does its text.
  const cache = new LruCache<string, FileText | NotExtractable>({
    max: keptChars,
    weigh: (read) => (read instanceof NotExtractable ? 1000 : read.text.length * (read.pages.length ? 2 : 1) + 1000),
  });

  async function extract(scope: Scope, file: File, max_chars: number, signal: AbortSignal): Promise<Extracted> {
    const content = await files.bytes(scope, file);
    const { filename, content_type } = file;
    try {
      return await deps.extract(content, { filename, content_type, max_chars, signal, ocr });
    } finally {
      content.destroy();
    }
  }

  async function extractNew(scope: Scope, file: File, signal: AbortSignal): Promise<FileText> {
    const read = await extract(scope, file, mostChars, signal).catch((error: unknown) => {
      if (!isTooSlow(error)) throw error;
      return extract(scope, file, fewChars, signal);
    });
    const { pages, complete: pages_complete } = listPages(read, file);
    const outline = await makeOutline(read, file, cutBefore);
    return { text: read.text, warnings: read.warnings, outline, pages, pages_complete };
  }

  /** Keeps what was read, unless another request was faster or the file is deleted by now. */
  async function keep(workspace_id: string, file_id: string, row: store.TextRow): Promise<boolean> {
    return store.insertText(db, workspace_id, file_id, row).catch((error: unknown) => {
      if (errorCode(error) !== '23503') throw error;
      return false;
    });
  }

  async function keepText(workspace_id: string, file_id: string, { text, ...head }: FileText): Promise<void> {
    const first = Buffer.from(`${JSON.stringify(head satisfies Head)}\n`);
    const blob_id = newId();
    await blobs.put(workspace_id, blob_id, Readable.from([first, Buffer.from(text)]), mostBytes);
    const row = { readers, blob_id, head_bytes: first.length, error_code: null, error: null };
    if (!(await keep(workspace_id, file_id, row))) await blobs.delete(workspace_id, blob_id);
  }

  async function readKept(workspace_id: string, blob_id: string, head_bytes: number): Promise<FileText | undefined> {
    try {
      const bytes = await buffer(await blobs.get(workspace_id, blob_id));
      const head: Head = JSON.parse(bytes.subarray(0, head_bytes).toString());
      return { ...head, text: bytes.subarray(head_bytes).toString() };
    } catch (error) {
      // The bytes were removed from outside: the file is read again.
      if (error instanceof BlobMissing) return undefined;
      throw error;
    }
  }

  async function findKept({ workspace_id }: Scope, file_id: string): Promise<FileText | undefined> {
    const row = await store.findText(db, workspace_id, file_id);
    if (!row) return undefined;
    if (row.readers === readers && row.error !== null)
      throw new NotExtractable((row.error_code ?? 'unreadable') as NotExtractable['code'], row.error);
    if (row.readers === readers && row.blob_id !== null) {
      const kept = await readKept(workspace_id, row.blob_id, row.head_bytes ?? 0);
      if (kept) return kept;
    }
    await store.deleteText(db, workspace_id, file_id, row);
    if (row.blob_id !== null) await blobs.delete(workspace_id, row.blob_id);
    return undefined;
  }

  async function readNew(scope: Scope, file: File, signal: AbortSignal): Promise<FileText> {
    try {
      const read = await extractNew(scope, file, signal);
      await keepText(scope.workspace_id, file.id, read);
      return read;
    } catch (error) {
      if (error instanceof NotExtractable && lasting.has(error.code)) {
        const { code: error_code, message } = error;
        const row = { readers, blob_id: null, head_bytes: null, error_code, error: message };
        await keep(scope.workspace_id, file.id, row);
      }
      throw error;
    }
  }

  return async (scope, file, signal = scope.signal) => {
    const key = `${scope.workspace_id} ${file.id}`;
    const cached = cache.get(key);
    if (cached instanceof NotExtractable) throw cached;
    if (cached) return cached;
    try {
      const read = (await findKept(scope, file.id)) ?? (await readNew(scope, file, signal));
      cache.set(key, read);
      return read;
    } catch (error) {
      // It may be fast enough another time.
      if (error instanceof NotExtractable && !isTooSlow(error)) cache.set(key, error);
      throw error;
    }
  };
}
