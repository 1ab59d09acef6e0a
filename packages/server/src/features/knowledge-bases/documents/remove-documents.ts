import type { Db } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Files } from '../../files/service.ts';
import type { KbRef } from '../index/sync-index.ts';
import type { KbQueue } from '../ports.ts';
import { deleteDocuments, recordIndexChanges } from './document-store.ts';

/** Takes documents out of a base, in the caller's transaction. Answers the files that go with them. */
export async function removeDocuments(
  tx: Db,
  queue: KbQueue,
  place: KbRef,
  ids: readonly string[],
): Promise<{ removed: number; file_ids: string[] }> {
  const { workspace_id, kb_id } = place;
  if (ids.length === 0) return { removed: 0, file_ids: [] };
  const gone = await deleteDocuments(tx, workspace_id, kb_id, ids);
  const indexed = gone.filter((one) => one.indexed).map(({ id }) => id);
  await recordIndexChanges(tx, workspace_id, kb_id, indexed, 'removed');
  if (indexed.length) await queue.sync(tx, place);
  const tabled = gone.filter(({ table_ids }) => table_ids.length > 0).map(({ id }) => id);
  if (tabled.length) await queue.dropTables(tx, place, tabled);
  const file_ids = gone.flatMap(({ owns_file, file_id, images }) => [
    ...(owns_file && file_id ? [file_id] : []),
    ...images.map((image) => image.file_id),
  ]);
  return { removed: gone.length, file_ids };
}

/** After the transaction: one that can't be removed now is left to whoever sweeps. */
export async function removeFiles(files: Files, scope: Scope, file_ids: readonly string[]): Promise<void> {
  const { idempotency: _, ...quiet } = scope;
  for (const file_id of file_ids) await files.remove(quiet, file_id).catch(() => {});
}
