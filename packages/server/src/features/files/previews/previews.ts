import { Readable } from 'node:stream';
import { conflict } from '@atrium/contract/errors.ts';
import type { File } from '@atrium/contract/files/schema.ts';
import type { Database } from '../../../db/database.ts';
import { BlobMissing, type BlobStore } from '../../../drivers/blobs/driver.ts';
import { NotExtractable } from '../../../drivers/extractors/driver.ts';
import { type Previews as DrawPreview, saysPages } from '../../../drivers/previews/driver.ts';
import { errorCode } from '../../../lib/error-code.ts';
import { newId } from '../../../lib/ids.ts';
import { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Previews } from '../ports.ts';
import type { Files } from '../service.ts';
import * as store from './preview-store.ts';

/** Widths are rounded up to one of these, so that a page has few pictures. */
const widths = [64, 128, 256, 512, 1024, 1600];
/** Pictures of one file that are kept; the oldest go first. */
const keptPreviews = 48;
const mostBytes = 8 * 1024 * 1024;

const noPreview = (reason: string) => conflict(`There is no picture of this file: ${reason}`, 'no_preview');

const imageAnswer = (data: Uint8Array, pages: number | null) =>
  new RawAnswer(Buffer.from(data), {
    'content-type': 'image/webp',
    'content-disposition': 'inline',
    // A file never changes; who may see it does, so it is not kept for long.
    'cache-control': 'private, max-age=300',
    'content-security-policy': "sandbox; default-src 'none'",
    ...(pages !== null && { 'x-page-count': String(pages) }),
  });

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export function makePreviewService(deps: {
  db: Database;
  blobs: BlobStore;
  files: Pick<Files, 'get' | 'bytes'>;
  draw: DrawPreview;
}): Previews {
  const { db, blobs, files } = deps;

  async function drawNew(scope: Scope, file: File, page: number, width: number) {
    const { workspace_id, signal } = scope;
    const key = { file_id: file.id, page, width };
    const content = await files.bytes(scope, file);
    try {
      const { content_type, filename } = file;
      const { data, pages } = await deps.draw(content, { content_type, filename, page, width, signal });
      const blob_id = newId();
      await blobs.put(workspace_id, blob_id, Readable.from([data]), mostBytes);
      // Drawn by another request in the same moment, or of a file that is deleted by now.
      const kept = await store
        .insertPreview(db, workspace_id, key, { blob_id, error: null, pages })
        .catch((error: unknown) => {
          if (errorCode(error) !== '23503') throw error;
          return false;
        });
      const dropped = kept ? await store.deleteOldPreviews(db, workspace_id, file.id, keptPreviews) : [{ blob_id }];
      for (const { blob_id: old } of dropped) if (old) await blobs.delete(workspace_id, old);
      return imageAnswer(data, pages);
    } catch (error) {
      if (!(error instanceof NotExtractable)) throw error;
      // What is too slow now may not be later, and there is no end of pages beyond the last; the rest of the reasons stay.
      if (error.code !== 'too_slow' && error.code !== 'no_page')
        await store
          .insertPreview(db, workspace_id, key, { blob_id: null, error: error.message, pages: null })
          .catch(() => {});
      throw noPreview(error.message);
    } finally {
      content.destroy();
    }
  }

  return {
    async draw(scope, file_id, { page, width: wanted }) {
      const file = await files.get(scope, file_id);
      if (!deps.draw.takes(file.content_type)) throw noPreview(`it is ${file.content_type}`);
      const width = widths.find((step) => step >= wanted) ?? Math.max(...widths);
      const found = await store.findPreview(db, scope.workspace_id, { file_id, page, width });
      if (found?.error != null) throw noPreview(found.error);
      if (found?.blob_id)
        try {
          return imageAnswer(await readAll(await blobs.get(scope.workspace_id, found.blob_id)), found.pages);
        } catch (error) {
          if (!(error instanceof BlobMissing)) throw error;
          // The bytes were removed from outside: it is drawn again.
          await store.deletePreview(db, scope.workspace_id, { file_id, page, width });
        }
      const pages = page === 1 ? undefined : await store.pagesOf(db, scope.workspace_id, file_id);
      if (pages !== undefined && page > pages) throw noPreview(saysPages(pages));
      return drawNew(scope, file, page, width);
    },
  };
}
