import type { Readable } from 'node:stream';
import { invalid, notFound } from '@atrium/contract/errors.ts';
import type { File, FileQuery } from '@atrium/contract/files/schema.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Database, Db } from '../../db/database.ts';
import { BlobMissing, type BlobRange, type BlobStore } from '../../drivers/blobs/driver.ts';
import { errorCode } from '../../lib/error-code.ts';
import { newId } from '../../lib/ids.ts';
import { errorFields } from '../../lib/log.ts';
import { omit } from '../../lib/omit.ts';
import { mayBeStored } from '../../lib/outages/may-be-stored.ts';
import type { RawAnswer } from '../../lib/responses/raw-answer.ts';
import type { UploadedFile } from '../../lib/route.ts';
import { recordOwner, type Scope } from '../../lib/scope.ts';
import { downloadAnswer, type RangeRequest } from './download-answer.ts';
import type { VisibleFiles } from './file-reach-store.ts';
import { cleanFilename } from './filename.ts';
import { deleteUploads } from './quota-store.ts';
import type { Quotas } from './quotas.ts';
import { headBytes, sniff } from './sniff.ts';
import * as store from './store.ts';

export { attachment } from './download-answer.ts';

/** Stores, lists, reads and removes the files of a workspace. */
export interface Files {
  /** Stores one file. Reads the stream to its end, or throws and stores nothing. */
  save(scope: Scope, input: FileInput): Promise<File>;
  /** The first half of `save`: stores the bytes, for callers that record the file in a transaction of their own. */
  receive(scope: Scope, input: FileInput): Promise<ReceivedFile>;
  /** The second half of `save`: makes files of received bytes, in the caller's transaction. */
  record(tx: Db, scope: Scope, received: readonly ReceivedFile[]): Promise<File[]>;
  /**
   * Removes bytes that were received and not recorded. `failure`: of the transaction that was to record them. Unless it
   * says that nothing was stored, the record may be there: then the bytes stay, and the sweep removes those without one.
   */
  discard(scope: Scope, received: ReceivedFile, failure?: unknown): Promise<void>;
  /** Stores the one file of a form. It counts once the form is complete: a body that breaks off leaves nothing. */
  upload(scope: Scope, sent: AsyncIterable<UploadedFile>): Promise<File>;
  list(scope: Scope, query: FileQuery): Promise<Paged<File>>;
  get(scope: Scope, id: string): Promise<File>;
  /** Those of the ids that are files of this workspace, by id. */
  many(scope: Scope, ids: readonly string[]): Promise<Map<string, File>>;
  read(scope: Scope, id: string): Promise<Readable>;
  /** The bytes of a file that the caller has just looked up. */
  bytes(scope: Scope, file: File): Promise<Readable>;
  download(scope: Scope, id: string, request: RangeRequest): Promise<RawAnswer>;
  /** Those of the ids that are files of this workspace; for checking the ids in a body. */
  exists(scope: Scope, ids: readonly string[]): Promise<Set<string>>;
  /** Lets the readers of a conversation read these files. */
  link(scope: Scope, conversation_id: string, ids: readonly string[]): Promise<void>;
  remove(scope: Scope, id: string): Promise<void>;
}

/** A file to store, with its source. */
export interface FileInput {
  filename: string;
  stream: AsyncIterable<Uint8Array>;
  source_type?: File['source_type'];
  source_metadata?: Record<string, unknown> | null;
  /** Who sees the document that the file is made for; null: everybody who may read files. */
  rights_id?: number | null;
  /** The conversation that it is sent in or made for, where the scope is not that of a run in it. */
  conversation_id?: string;
}

/** Stored bytes that are not recorded as a file yet. */
export type ReceivedFile = Omit<
  store.NewFile,
  'created_by' | 'owner_id' | 'of_conversation' | 'run_id' | 'shared_with'
> & {
  conversation_id: string | null;
};

/** Passes a stream on and collects its first bytes, from which its type is detected. */
async function* keepingHead(stream: AsyncIterable<Uint8Array>, head: Uint8Array[]): AsyncGenerator<Uint8Array> {
  let missing = headBytes;
  for await (const chunk of stream) {
    if (missing > 0) head.push(chunk.subarray(0, missing));
    missing -= Math.min(missing, chunk.length);
    yield chunk;
  }
}

/** The foreign key fails because the workspace is deleted; then the row was certainly not written. */
const lacksWorkspace = (error: unknown) => errorCode(error) === '23503';

const canonical = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function makeFiles(deps: {
  db: Database;
  blobs: BlobStore;
  quotas: Quotas;
  max_bytes: number;
  /** The files that the caller sees. */
  visible(scope: Scope): Promise<VisibleFiles>;
  /** Whether reading a file of another person is noted in the access log. */
  noted?: boolean;
}): Files {
  const { db, blobs, quotas, max_bytes, visible, noted = false } = deps;
  async function find(scope: Scope, id: string): Promise<store.FileRow> {
    const seen = await visible(scope);
    const row = await store.findFile(db, scope.workspace_id, id, seen);
    if (!row) throw notFound('file');
    if (noted && seen.reach === 'all' && row.owner_id !== null && row.owner_id !== recordOwner(scope))
      scope.noteRead?.({ kind: 'file', id, owner_id: row.owner_id });
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
      const { source_type = 'Document', source_metadata = null, rights_id = null } = input;
      const conversation_id = input.conversation_id ?? scope.accounts?.at(-1)?.conversation_id ?? null;
      const charged = { charged_kinds: accounts.map(({ kind }) => kind), charged_ids: accounts.map(({ id }) => id) };
      return {
        id,
        filename,
        content_type,
        ...stored,
        source_type,
        source_metadata,
        rights_id,
        conversation_id,
        ...charged,
      };
    } catch (error) {
      await discard(scope, id);
      throw error;
    }
  }

  async function recordAll(tx: Db, scope: Scope, received: readonly ReceivedFile[]): Promise<File[]> {
    const ids = received.map(({ id }) => id);
    const owner_id = recordOwner(scope);
    const rows = received.map(({ conversation_id, ...file }) => ({
      ...{ ...file, created_by: scope.actor.id, owner_id, of_conversation: conversation_id !== null },
      run_id: scope.within?.run_id ?? null,
      shared_with: file.source_metadata?.['kb_id'] === undefined ? [] : ['knowledge_base'],
    }));
    const files = await store.insertFiles(tx, scope.workspace_id, rows);
    for (const { id, conversation_id } of received)
      if (conversation_id !== null) await store.linkFiles(tx, scope.workspace_id, conversation_id, [id]);
    // From here on the bytes belong to the file; until then the sweep frees them.
    await deleteUploads(tx, scope.workspace_id, ids);
    return files;
  }

  async function record(scope: Scope, received: ReceivedFile): Promise<File> {
    try {
      return await db.transaction(scope, async (tx) => {
        const [file] = await recordAll(tx, scope, [received]);
        if (!file) throw new Error('The file was not stored');
        return file;
      });
    } catch (error) {
      // After other errors the row may have been written; the sweep finds out later.
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
      scope.log.warn('file.bytes-not-removed', { file_id: id, ...errorFields(error) });
    }
  }

  async function open(scope: Scope, id: string, range?: BlobRange): Promise<Readable> {
    try {
      return await blobs.get(scope.workspace_id, id, range);
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw error;
      // The file was deleted a moment ago, or the bytes were removed from outside: the operator should know.
      scope.log.warn('file.bytes-missing', { file_id: id });
      throw notFound('file');
    }
  }

  return {
    save: async (scope, input) => record(scope, await receive(scope, input)),

    receive,
    record: recordAll,
    discard: async (scope, { id }, failure) => (mayBeStored(failure) ? undefined : discard(scope, id)),

    async upload(scope, sent) {
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
      // The server refuses a form without a file before it gets here.
      if (!received) throw invalid(['body', 'file'], 'Field required', null);
      return record(scope, received);
    },

    async list(scope, query) {
      const page = pageOf(query);
      const seen = await visible(scope);
      const [{ rows, total, last }, facets] = await Promise.all([
        store.listFiles(db, scope.workspace_id, { ...query, visible: seen }, page),
        query.facets ? store.countFileFacets(db, scope.workspace_id, { ...query, visible: seen }) : undefined,
      ]);
      return { ...pageAnswer(rows, total, page, last), ...(facets && { facets }) };
    },

    get: async (scope, id) => omit(await find(scope, id), ['sha256', 'owner_id']),

    async many(scope, ids) {
      const known = ids.filter((id) => canonical.test(id));
      const rows = known.length ? await store.findFiles(db, scope.workspace_id, known, await visible(scope)) : [];
      return new Map(rows.map((row) => [row.id, row]));
    },

    async read(scope, id) {
      return open(scope, (await find(scope, id)).id);
    },

    bytes: (scope, { id }) => open(scope, id),

    download: async (scope, id, request) =>
      downloadAnswer(await find(scope, id), request, (range) => open(scope, id, range)),

    async exists(scope, ids) {
      const rows = await store.existingFiles(
        db,
        scope.workspace_id,
        ids.filter((id) => canonical.test(id)),
        await visible(scope),
      );
      return new Set(rows.map(({ id }) => id));
    },

    link: async (scope, conversation_id, ids) =>
      void (await store.linkFiles(db, scope.workspace_id, conversation_id, ids)),

    async remove(scope, id) {
      const seen = await visible(scope);
      const derived = await store.derivedBlobs(db, scope.workspace_id, id);
      await db.transaction(scope, async (tx) => {
        const known = await store.changeableFiles(tx, scope.workspace_id, [id], seen);
        const deleted = known.length ? await store.deleteFile(tx, scope.workspace_id, id) : undefined;
        if (!deleted) throw notFound('file');
        await quotas.freed(tx, scope, deleted);
      });
      for (const blob_id of [id, ...derived]) await discard(scope, blob_id, false);
    },
  };
}
