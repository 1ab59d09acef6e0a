import type { Database } from '../../db/database.ts';
import { conflict, invalid, notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '../../lib/page.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Files } from '../files/service.ts';
import { markBusy } from './base-store.ts';
import type { Bases } from './bases.ts';
import { listChunks } from './chunk-store.ts';
import * as store from './document-store.ts';
import { folderOf } from './folder.ts';
import type { KbQueue } from './queue.ts';
import * as runs from './run-store.ts';
import type { DocumentCreate, DocumentPatch, DocumentsQuery, KbChunk, KbDocument, KbRun } from './schema.ts';
import { effective } from './settings/settings.ts';
import { settleAfter } from './trainings.ts';

export type Documents = ReturnType<typeof makeDocuments>;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const listed = (text: string | undefined) =>
  text
    ?.split(',')
    .map((word) => word.trim())
    .filter(Boolean);

export function makeDocuments(deps: { db: Database; bases: Bases; files: Files; queue: KbQueue }) {
  const { db, bases, files, queue } = deps;

  async function find(scope: Scope, kb_id: string, id: string): Promise<KbDocument> {
    const row = await store.findDocument(db, scope.workspace_id, kb_id, id);
    if (!row) throw notFound('document');
    return row;
  }

  return {
    find,

    async list(scope: Scope, kb_id: string, query: DocumentsQuery, status?: string): Promise<Paged<KbDocument>> {
      await bases.find(scope, kb_id);
      const page = pageOf(query);
      const prefix = query.prefix === undefined ? undefined : folderOf(query.prefix);
      const filter = { status, prefix, search: query.search };
      const { rows, total } = await store.listDocuments(db, scope.workspace_id, kb_id, filter, page);
      return pageAnswer(rows, total, page);
    },

    async create(scope: Scope, kb_id: string, input: DocumentCreate): Promise<KbDocument> {
      await bases.find(scope, kb_id);
      const id = newId();
      return db.transaction(scope, async (tx) => {
        await store.insertDocuments(tx, scope.workspace_id, kb_id, [
          {
            id,
            name: input.name,
            prefix: folderOf(input.prefix),
            status: input.status,
            size: 0,
            source_type: input.source_type,
            file_id: null,
            owns_file: false,
            source_url: null,
            doc_type: null,
            doc_metadata: input.doc_metadata ?? {},
          },
        ]);
        return (await store.findDocument(tx, scope.workspace_id, kb_id, id)) as KbDocument;
      });
    },

    /** A new folder is searched at once; `training` trains it again, `uploaded` takes it out of the index. */
    async update(scope: Scope, kb_id: string, id: string, patch: DocumentPatch): Promise<KbDocument> {
      const base = await bases.find(scope, kb_id);
      const before = await find(scope, kb_id, id);
      const { workspace_id } = scope;
      const place = { workspace_id, kb_id };
      const status = patch.status === before.status ? undefined : patch.status;
      if (status !== undefined && status !== 'training' && (status !== 'uploaded' || before.status === 'folder'))
        throw conflict(`A document that is ${before.status} can't be made ${status}`, 'bad_status');
      const [again] = status === 'training' ? await store.trainable(db, workspace_id, kb_id, { id }) : [];
      if (status === 'training' && !again)
        throw invalid(['body', 'status'], 'there is nothing to train it from', status);
      return db.transaction(scope, async (tx) => {
        const prefix = patch.prefix === undefined ? undefined : folderOf(patch.prefix);
        const uploaded = status === 'uploaded' ? status : undefined;
        await store.updateDocument(tx, workspace_id, kb_id, id, { ...patch, prefix, status: uploaded });
        if (prefix !== undefined && prefix !== before.prefix)
          await store.noteIndexChange(tx, workspace_id, kb_id, id, 'moved');
        if (uploaded) await store.noteIndexChange(tx, workspace_id, kb_id, id, 'removed');
        if (again) {
          const run = { id: newId(), document_id: id };
          await runs.beginTrainings(tx, workspace_id, kb_id, [run]);
          await markBusy(tx, workspace_id, kb_id);
          await queue.train(tx, place, [run], effective(base.settings).batch_size);
          await queue.settle(tx, place, settleAfter);
        } else if (base.index_name !== null) await queue.sync(tx, place);
        return (await store.findDocument(tx, workspace_id, kb_id, id)) as KbDocument;
      });
    },

    /** Answers the document as it was. */
    async remove(scope: Scope, kb_id: string, id: string): Promise<KbDocument> {
      const base = await bases.find(scope, kb_id);
      const { workspace_id } = scope;
      let own: string[] = [];
      const before = await db.transaction(scope, async (tx) => {
        const found = await store.findDocument(tx, workspace_id, kb_id, id);
        const gone = found && (await store.deleteDocument(tx, workspace_id, kb_id, id));
        if (!gone) throw notFound('document');
        if (gone.indexed) await store.noteIndexChange(tx, workspace_id, kb_id, id, 'removed');
        if (base.index_name !== null) await queue.sync(tx, { workspace_id, kb_id });
        own = [...(gone.owns_file && gone.file_id ? [gone.file_id] : []), ...gone.images.map(({ file_id }) => file_id)];
        return found;
      });
      const { idempotency: _, ...quiet } = scope;
      for (const file_id of own) await files.remove(quiet, file_id).catch(() => {});
      return before;
    },

    async chunks(
      scope: Scope,
      kb_id: string,
      query: PageQuery & { document_id?: string | undefined },
    ): Promise<Paged<KbChunk>> {
      await bases.find(scope, kb_id);
      if (query.document_id !== undefined) await find(scope, kb_id, query.document_id);
      const page = pageOf(query);
      const { rows, total } = await listChunks(db, scope.workspace_id, kb_id, query.document_id, page);
      return pageAnswer(rows, total, page);
    },

    async runs(
      scope: Scope,
      kb_id: string,
      query: { status?: string | undefined; run_ids?: string | undefined },
    ): Promise<KbRun[]> {
      await bases.find(scope, kb_id);
      const ids = listed(query.run_ids)?.filter((id) => uuid.test(id));
      return runs.listRuns(db, scope.workspace_id, kb_id, { statuses: listed(query.status), ids });
    },
  };
}
