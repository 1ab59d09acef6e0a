import { AppError, forbidden, invalid } from '@atrium/contract/errors.ts';
import type { BulkAnswer, BulkBody } from '@atrium/contract/knowledge-bases/bulk-operations.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Database, Db } from '../../../db/database.ts';
import { omit } from '../../../lib/omit.ts';
import { lacksPermission, type Scope } from '../../../lib/scope.ts';
import type { Files } from '../../files/service.ts';
import { makeStartTrainings } from '../ingest/start-trainings.ts';
import type { KbQueue, KbRef } from '../ports.ts';
import type { Rights } from '../rights/rights.ts';
import type { KnowledgeBases } from '../service.ts';
import * as store from './document-store.ts';
import type { Documents } from './documents.ts';
import { removeDocuments, removeFiles } from './remove-documents.ts';

export type ChangeDocuments = (scope: Scope, kb_id: string, body: BulkBody) => Promise<BulkAnswer>;

type Failure = { code: string; message: string };

/** Deletes, moves or trains many documents in one transaction; folders, which take their content along, one by one before. */
export function makeChangeDocuments(deps: {
  db: Database;
  bases: Pick<KnowledgeBases, 'find'>;
  documents: Documents;
  files: Files;
  queue: KbQueue;
  rights: Rights;
}): ChangeDocuments {
  const { db, documents, queue, rights } = deps;
  const trainings = makeStartTrainings(queue);

  async function changeFolder(scope: Scope, kb_id: string, id: string, { action, prefix }: BulkBody) {
    if (action === 'train') return { code: 'nothing_to_train', message: 'A folder has no text to train' };
    // Only the whole request has an answer to store.
    const inner = omit(scope, ['idempotency', 'audit']);
    try {
      if (action === 'delete') await documents.remove(inner, kb_id, id);
      else await documents.update(inner, kb_id, id, { prefix });
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { code: error.code, message: error.message };
    }
  }

  async function move(tx: Db, place: KbRef, ids: readonly string[], prefix: string): Promise<void> {
    for (const id of ids) await store.updateDocument(tx, place.workspace_id, place.kb_id, id, { prefix });
    await rights.dropHiddenTables(tx, place);
    await store.recordIndexChanges(
      tx,
      place.workspace_id,
      place.kb_id,
      ids.map((id) => ({ id })),
      'moved',
    );
    await queue.sync(tx, place);
  }

  return async (scope, kb_id, body) => {
    const { action, prefix } = body;
    const needed = action === 'delete' ? 'kbs_delete' : 'kbs_edit';
    if (!allows(scope.permissions, needed)) throw forbidden(lacksPermission(scope, needed));
    if (action === 'move' && prefix === undefined)
      throw invalid(['body', 'prefix'], 'a move needs the folder to move to', null);
    const base = await deps.bases.find(scope, kb_id);
    const place = { workspace_id: scope.workspace_id, kb_id };
    const ids = [...new Set(body.document_ids)];
    const seen = await store.findForBulk(db, place, ids, await rights.forLists(scope, kb_id));
    const kinds = new Map(seen.map((row) => [row.id, row]));
    const failures = new Map<string, Failure>();
    for (const id of ids) {
      const row = kinds.get(id);
      if (!row) failures.set(id, { code: 'not_found', message: 'No such document' });
      else if (row.status === 'folder') {
        const failure = await changeFolder(scope, kb_id, id, body);
        if (failure) failures.set(id, failure);
      } else if (action === 'train' && !row.trainable)
        failures.set(id, { code: 'nothing_to_train', message: 'There is nothing to train it from' });
    }
    const left = ids.filter((id) => !failures.has(id) && kinds.get(id)?.status !== 'folder');
    let file_ids: string[] = [];
    const answer = await db.transaction(scope, async (tx): Promise<BulkAnswer> => {
      if (left.length && action === 'delete') ({ file_ids } = await removeDocuments(tx, queue, place, left));
      if (left.length && action === 'move') await move(tx, place, left, prefix ?? '/');
      if (left.length && action === 'train') await trainings.startAgain(tx, place, base.settings, left);
      const items = ids.map((id) => {
        const { code = null, message = null } = failures.get(id) ?? {};
        return { id, done: code === null, code, message };
      });
      scope.audit?.note({
        target: { kind: 'knowledge_base', id: kb_id, name: base.name },
        after: { action, ...(prefix !== undefined && { prefix }), document_ids: ids.filter((id) => !failures.has(id)) },
      });
      return { done: ids.length - failures.size, failed: failures.size, items };
    });
    await removeFiles(deps.files, scope, file_ids);
    return answer;
  };
}
