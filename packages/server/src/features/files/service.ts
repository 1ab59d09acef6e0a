import type { Readable } from 'node:stream';
import { invalid, notFound } from '@atrium/contract/errors.ts';
import type { File, FileQuery } from '@atrium/contract/files/schema.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Database, Db } from '../../db/database.ts';
import { BlobMissing, type BlobRange, type BlobStore } from '../../drivers/blobs/driver.ts';
import { newId } from '../../lib/ids.ts';
import { errorFields } from '../../lib/log.ts';
import type { RawAnswer } from '../../lib/responses/raw-answer.ts';
import type { UploadedFile } from '../../lib/route.ts';
import type { Scope } from '../../lib/scope.ts';
import { downloadAnswer, type Wanted } from './download-answer.ts';
import { cleanFilename } from './filename.ts';
import { deleteUploads } from './quota-store.ts';
import type { Quotas } from './quotas.ts';
import { headBytes, sniff } from './sniff.ts';
import * as store from './store.ts';

export type Files = ReturnType<typeof makeFiles>;

/** What is to be kept: bytes as they come, and what is known of where they come from. */
export interface FileInput {
  filename: string;
  stream: AsyncIterable<Uint8Array>;
  source_type?: File['source_type'];
  source_metadata?: Record<string, unknown> | null;
}

/** Bytes that are kept and not yet a file. */
export type ReceivedFile = Omit<store.NewFile, 'created_by'>;

/** Hands a stream on and keeps its first bytes, from which its type is told. */
async function* keepingHead(stream: AsyncIterable<Uint8Array>, head: Uint8Array[]): AsyncGenerator<Uint8Array> {
  let missing = headBytes;
  for await (const chunk of stream) {
    if (missing > 0) head.push(chunk.subarray(0, missing));
    missing -= Math.min(missing, chunk.length);
    yield chunk;
  }
}

/** Whether PostgreSQL says that the workspace is gone; then the row was certainly not written. */
const lacksWorkspace = (error: unknown) => (error as { code?: unknown } | null)?.code === '23503';

const canonical = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function makeFiles(deps: { db: Database; blobs: BlobStore; quotas: Quotas; max_bytes: number }) {
  const { db, blobs, quotas, max_bytes } = deps;
  async function find(scope: Scope, id: string): Promise<store.FileRow> {
    const row = await store.findFile(db, scope.workspace_id, id);
    if (!row) throw notFound('file');
    return row;
  }

  /** The bytes go first: a crash then leaves some that nothing refers to, never a file without its bytes. */
  async function receive(scope: Scope, input: FileInput): Promise<ReceivedFile> {
    const [id, filename] = [newId(), cleanFilename(input.filename)];
    const head: Uint8Array[] = [];
    const { charging, settle, accounts } = await quotas.open(scope, id);
    try {
      const stream = keepingHead(charging(input.stream), head);
      const stored = await blobs.put(scope.workspace_id, id, stream, max_bytes);
      await settle();
      const content_type = await sniff(Buffer.concat(head), filename);
      const { source_type = 'Document', source_metadata = null } = input;
      const charged = { charged_kinds: accounts.map(({ kind }) => kind), charged_ids: accounts.map(({ id }) => id) };
      return { id, filename, content_type, ...stored, source_type, source_metadata, ...charged };
    } catch (error) {
      await discard(scope, id);
      throw error;
    }
  }

  async function recordAll(tx: Db, scope: Scope, received: readonly ReceivedFile[]): Promise<File[]> {
    const ids = received.map(({ id }) => id);
    const rows = received.map((one) => ({ ...one, created_by: scope.actor.id }));
    const files = await store.insertFiles(tx, scope.workspace_id, rows);
    // Its bytes are the file's from here on; until then the sweep gives them back.
    await deleteUploads(tx, scope.workspace_id, ids);
    return files;
  }

  async function record(scope: Scope, received: ReceivedFile): Promise<File> {
    try {
      return await db.transaction(scope, async (tx) => (await recordAll(tx, scope, [received]))[0] as File);
    } catch (error) {
      // After any other error the row may be there nevertheless; the sweep finds out later.
      if (lacksWorkspace(error)) await discard(scope, received.id);
      throw lacksWorkspace(error) ? notFound('workspace') : error;
    }
  }

  /** The row decides whether a file exists: bytes that can't be removed now are left to the sweep. */
  async function discard(scope: Scope, id: string, charged = true): Promise<void> {
    try {
      await blobs.delete(scope.workspace_id, id);
      if (charged) await quotas.release(scope.workspace_id, id);
    } catch (error) {
      scope.log.warn('The bytes of a file could not be removed', { file_id: id, ...errorFields(error) });
    }
  }

  async function open(scope: Scope, id: string, range?: BlobRange): Promise<Readable> {
    try {
      return await blobs.get(scope.workspace_id, id, range);
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw error;
      // Deleted a moment ago; or else something has taken the bytes away, which the operator should hear of.
      scope.log.warn('The bytes of a file are missing', { file_id: id });
      throw notFound('file');
    }
  }

  return {
    /** Keeps one file. Reads the stream to its end, or throws and keeps nothing. */
    save: async (scope: Scope, input: FileInput): Promise<File> => record(scope, await receive(scope, input)),

    /** The two halves of `save`, for whoever makes files and what needs them in one transaction. */
    receive,
    record: recordAll,
    /** Of what was received and never recorded. */
    discard: (scope: Scope, { id }: ReceivedFile) => discard(scope, id),

    /** The one file of a form. It counts only once the form is whole, so that a body that breaks off leaves nothing. */
    async upload(scope: Scope, sent: AsyncIterable<UploadedFile>): Promise<File> {
      let received: ReceivedFile | undefined;
      try {
        for await (const { field, filename, stream } of sent) {
          if (received) throw invalid(['body', field], 'one file at a time', null);
          received = await receive(scope, { filename, stream });
        }
      } catch (error) {
        if (received) await discard(scope, received.id);
        throw error;
      }
      return record(scope, received as ReceivedFile);
    },

    async list(scope: Scope, query: FileQuery): Promise<Paged<File>> {
      const page = pageOf(query);
      const [items, total] = await Promise.all([
        store.listFiles(db, scope.workspace_id, { ...page, search: query.search }),
        store.countFiles(db, scope.workspace_id, query.search),
      ]);
      return pageAnswer(items, total, page);
    },

    async get(scope: Scope, id: string): Promise<File> {
      const { sha256: _, ...shown } = await find(scope, id);
      return shown;
    },

    /** Those of the ids that are files of this workspace, by id. */
    async many(scope: Scope, ids: readonly string[]): Promise<Map<string, File>> {
      const known = ids.filter((id) => canonical.test(id));
      const rows = known.length ? await store.findFiles(db, scope.workspace_id, known) : [];
      return new Map(rows.map((row) => [row.id, row]));
    },

    async read(scope: Scope, id: string): Promise<Readable> {
      return open(scope, (await find(scope, id)).id);
    },

    /** The bytes of a file that the caller has just looked up. */
    bytes: (scope: Scope, { id }: File): Promise<Readable> => open(scope, id),

    download: async (scope: Scope, id: string, wanted: Wanted): Promise<RawAnswer> =>
      downloadAnswer(await find(scope, id), wanted, (range) => open(scope, id, range)),

    /** Those of the ids that are files of this workspace; for checking the ids that a body names. */
    async exists(scope: Scope, ids: readonly string[]): Promise<Set<string>> {
      const rows = await store.existingFiles(
        db,
        scope.workspace_id,
        ids.filter((id) => canonical.test(id)),
      );
      return new Set(rows.map(({ id }) => id));
    },

    async remove(scope: Scope, id: string): Promise<void> {
      await db.transaction(undefined, async (tx) => {
        const deleted = await store.deleteFile(tx, scope.workspace_id, id);
        if (!deleted) throw notFound('file');
        await quotas.freed(tx, scope, deleted);
      });
      await discard(scope, id, false);
    },
  };
}
