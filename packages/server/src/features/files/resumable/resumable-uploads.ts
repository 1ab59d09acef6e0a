import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { AppError, conflict, invalid, notFound } from '@atrium/contract/errors.ts';
import type { Upload } from '@atrium/contract/files/upload-operations.ts';
import type { Database } from '../../../db/database.ts';
import { BlobMissing, type BlobStore } from '../../../drivers/blobs/driver.ts';
import { newId } from '../../../lib/ids.ts';
import { recordOwner, type Scope } from '../../../lib/scope.ts';
import { cleanFilename } from '../filename.ts';
import { deleteUploads } from '../quota-store.ts';
import type { Quotas } from '../quotas.ts';
import { headBytes, sniff } from '../sniff.ts';
import { insertFiles } from '../store.ts';
import * as store from './upload-store.ts';

/** Uploads that arrive in parts, for who began them. */
export interface ResumableUploads {
  create(scope: Scope, input: { length: number; filename: string }): Promise<Upload>;
  get(scope: Scope, id: string): Promise<Upload>;
  /** Stores the bytes from `offset` on; the last ones make the file. */
  append(
    scope: Scope,
    id: string,
    part: { offset: number; bytes: Buffer; checksum?: string | undefined },
  ): Promise<Upload>;
  cancel(scope: Scope, id: string): Promise<void>;
  /** Removes those that were not finished in time. */
  removeExpired(): Promise<number>;
}

/** The bytes are not what the client says it has sent. */
export class ChecksumMismatch extends Error {}

const hours = 24;
const algorithms: ReadonlySet<string> = new Set(['sha1', 'sha256', 'md5']);

/** `Upload-Checksum: <algorithm> <base64>`. */
function verifyChecksum(header: string, bytes: Buffer): void {
  const [algorithm = '', expected] = header.trim().split(/\s+/);
  if (!algorithms.has(algorithm))
    throw new AppError('bad_request', `Upload-Checksum takes ${[...algorithms].join(', ')}, not ${algorithm}`);
  if (createHash(algorithm).update(bytes).digest('base64') !== expected) throw new ChecksumMismatch();
}

export function makeResumableUploads(deps: {
  db: Database;
  blobs: BlobStore;
  quotas: Pick<Quotas, 'reserve' | 'release'>;
  max_bytes: number;
}): ResumableUploads {
  const { db, blobs, quotas, max_bytes } = deps;
  const present = (row: store.UploadRow): Upload => ({
    ...{ id: row.id, filename: row.filename, length: row.length, received: row.received },
    ...{ finished: false, expires_at: row.expires_at },
  });

  async function discard(workspace_id: string, id: string): Promise<boolean> {
    const parts = await store.listParts(db, workspace_id, id);
    if (!(await store.deleteUpload(db, workspace_id, id))) return false;
    await quotas.release(workspace_id, id);
    for (const blob_id of parts) await blobs.delete(workspace_id, blob_id);
    return true;
  }

  /** Makes the file. After a crash in between, the next request for the upload does it again. */
  async function finish(scope: Scope, row: store.UploadRow): Promise<void> {
    const { workspace_id, id, filename, charged_kinds, charged_ids } = row;
    const parts = await store.listParts(db, workspace_id, id);
    const head: Uint8Array[] = [];
    let missing = headBytes;
    async function* join() {
      for (const blob_id of parts)
        for await (const bytes of (await blobs.get(workspace_id, blob_id)) as AsyncIterable<Buffer>) {
          if (missing > 0) head.push(bytes.subarray(0, missing));
          missing -= Math.min(missing, bytes.length);
          yield bytes;
        }
    }
    const stored = await blobs.put(workspace_id, id, join(), max_bytes).catch((error: unknown) => {
      // Another request has made the file meanwhile and removed the parts.
      if (!(error instanceof BlobMissing)) throw error;
    });
    if (!stored) return;
    const content_type = await sniff(Buffer.concat(head), filename);
    await db.transaction(undefined, async (tx) => {
      if (!(await store.deleteUpload(tx, workspace_id, id))) return;
      const file = { id, filename, content_type, ...stored, charged_kinds, charged_ids };
      const origin = { source_type: 'Document' as const, source_metadata: null, rights_id: null };
      await insertFiles(tx, workspace_id, [
        {
          ...{ ...file, ...origin, created_by: scope.actor.id, owner_id: recordOwner(scope) },
          ...{ of_conversation: false, run_id: null, shared_with: [] },
        },
      ]);
      await deleteUploads(tx, workspace_id, [id]);
    });
    for (const blob_id of parts) await blobs.delete(workspace_id, blob_id);
  }

  /** Requests that come while a file is made wait for it: each would write all of it once more. */
  const making = new Map<string, Promise<void>>();
  function finishOnce(scope: Scope, row: store.UploadRow): Promise<void> {
    const known = making.get(row.id);
    if (known) return known;
    const made = finish(scope, row).finally(() => making.delete(row.id));
    making.set(row.id, made);
    return made;
  }

  async function finished(scope: Scope, id: string): Promise<Upload> {
    const file = await store.findFinished(db, scope.workspace_id, id, scope.actor.id);
    if (!file) throw notFound('upload');
    return { id, filename: file.filename, length: file.size, received: file.size, finished: true, expires_at: null };
  }

  async function get(scope: Scope, id: string): Promise<Upload> {
    const row = await store.findUpload(db, scope.workspace_id, id, scope.actor.id);
    if (!row) return finished(scope, id);
    if (row.received < row.length) return present(row);
    await finishOnce(scope, row);
    return finished(scope, id);
  }

  return {
    get,

    async create(scope, { length, filename }) {
      if (length > max_bytes) throw new AppError('too_large', `A file may have ${max_bytes} bytes`);
      const id = newId();
      const accounts = await quotas.reserve(scope, id, length);
      const charged = { charged_kinds: accounts.map(({ kind }) => kind), charged_ids: accounts.map((own) => own.id) };
      const place = { workspace_id: scope.workspace_id, id, filename: cleanFilename(filename), length, ...charged };
      const row = await store.insertUpload(db, place, { created_by: scope.actor.id, hours });
      if (!row) throw new Error('The upload was not stored');
      return row.length === 0 ? get(scope, id) : present(row);
    },

    async append(scope, id, { offset, bytes, checksum }) {
      const seen = await get(scope, id);
      if (seen.received !== offset)
        throw conflict(`The next part begins at ${seen.received}, not at ${offset}`, 'offset_mismatch');
      if (offset + bytes.length > seen.length)
        throw invalid(['body'], `the file has ${seen.length} bytes`, offset + bytes.length);
      if (checksum !== undefined) verifyChecksum(checksum, bytes);
      if (bytes.length === 0) return seen;
      const blob_id = newId();
      const place = { workspace_id: scope.workspace_id, id };
      await blobs.put(scope.workspace_id, blob_id, Readable.from([bytes]), bytes.length);
      if (!(await store.insertPart(db, place, { start: offset, size: bytes.length, blob_id }))) {
        await blobs.delete(scope.workspace_id, blob_id);
        throw conflict('Another request has sent this part', 'offset_mismatch');
      }
      return get(scope, id);
    },

    async cancel(scope, id) {
      const row = await store.findUpload(db, scope.workspace_id, id, scope.actor.id);
      if (!row || !(await discard(scope.workspace_id, id))) throw notFound('upload');
    },

    async removeExpired() {
      const expired = await store.listExpired(db);
      for (const { workspace_id, id } of expired) await discard(workspace_id, id);
      return expired.length;
    },
  };
}
