import { AppError } from '@atrium/contract/errors.ts';
import type { Db } from '../../../db/database.ts';
import { errorFields } from '../../../lib/log.ts';
import { omit } from '../../../lib/omit.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Files } from '../../files/service.ts';
import type { KbQueue, KbRef } from '../ports.ts';
import { deleteDocuments, recordIndexChanges } from './document-store.ts';

/** Deletes documents in the caller's transaction; returns the files to remove afterwards. */
export async function removeDocuments(
  tx: Db,
  queue: KbQueue,
  place: KbRef,
  ids: readonly string[],
): Promise<{ removed: number; file_ids: string[] }> {
  const { workspace_id, kb_id } = place;
  if (ids.length === 0) return { removed: 0, file_ids: [] };
  const deleted = await deleteDocuments(tx, workspace_id, kb_id, ids);
  const indexed = deleted.filter((document) => document.indexed);
  await recordIndexChanges(tx, workspace_id, kb_id, indexed, 'removed');
  if (indexed.length) await queue.sync(tx, place);
  const withTables = deleted.filter(({ table_ids }) => table_ids.length > 0).map(({ id }) => id);
  if (withTables.length) await queue.dropTables(tx, place, withTables);
  const file_ids = deleted.flatMap(({ owns_file, file_id, images }) => [
    ...(owns_file && file_id ? [file_id] : []),
    ...images.map((image) => image.file_id),
  ]);
  return { removed: deleted.length, file_ids };
}

/** Removes files after the transaction. A file that can't be removed now is logged and stays in the workspace. */
export async function removeFiles(files: Files, scope: Scope, file_ids: readonly string[]): Promise<void> {
  // The removal must not store its result as the answer of the request.
  const inner = omit(scope, ['idempotency']);
  for (const file_id of file_ids)
    try {
      await files.remove(inner, file_id);
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not_found') continue;
      scope.log.warn('knowledge.file-not-removed', { file_id, ...errorFields(error) });
    }
}
