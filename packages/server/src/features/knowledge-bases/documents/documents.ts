import { conflict, invalid, notFound } from '@atrium/contract/errors.ts';
import type { DocumentCreate, DocumentPatch, DocumentsQuery } from '@atrium/contract/knowledge-bases/inputs.ts';
import type { KbChunk, KbDocument, KbRun } from '@atrium/contract/knowledge-bases/schema.ts';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Files } from '../../files/service.ts';
import * as runs from '../ingest/ingestion-run-store.ts';
import { makeStartTrainings } from '../ingest/start-trainings.ts';
import type { KbQueue } from '../ports.ts';
import type { KnowledgeBases } from '../service.ts';
import { listChunks } from './chunk-store.ts';
import * as store from './document-store.ts';
import { folderOf, folderPath } from './folder-path.ts';
import { removeDocuments, removeFiles } from './remove-documents.ts';

export type Documents = ReturnType<typeof makeDocuments>;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const listed = (text: string | undefined) =>
  text
    ?.split(',')
    .map((word) => word.trim())
    .filter(Boolean);

export function makeDocuments(deps: { db: Database; bases: KnowledgeBases; files: Files; queue: KbQueue }) {
  const { db, bases, files, queue } = deps;
  const begin = makeStartTrainings(queue);

  async function find(scope: Scope, kb_id: string, id: string): Promise<KbDocument> {
    const row = await store.findDocument(db, scope.workspace_id, kb_id, id);
    if (!row) throw notFound('document');
    return row;
  }

  /** A folder that is renamed or moved takes along what is in it. */
  async function moveContents(tx: Db, workspace_id: string, before: KbDocument, patch: DocumentPatch): Promise<void> {
    const from = folderPath(before);
    const to = folderPath({ name: patch.name ?? before.name, prefix: patch.prefix ?? before.prefix });
    if (to === undefined) throw invalid(['body', 'name'], 'a folder needs a name', patch.name);
    if (from === undefined || from === to) return;
    if (to.startsWith(from)) throw conflict("A folder can't be moved into itself", 'bad_folder');
    const moved = await store.moveDocuments(tx, workspace_id, before.kb_id, from, to);
    const indexed = moved.filter((one) => one.indexed).map(({ id }) => id);
    await store.recordIndexChanges(tx, workspace_id, before.kb_id, indexed, 'moved');
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
      if (input.status === 'folder' && folderPath(input) === undefined)
        throw invalid(['body', 'name'], 'a folder needs a name', input.name);
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

    /** Where it lies now counts at once; `training` trains it again, `uploaded` takes it out of the index. */
    async update(scope: Scope, kb_id: string, id: string, patch: DocumentPatch): Promise<KbDocument> {
      const base = await bases.find(scope, kb_id);
      const before = await find(scope, kb_id, id);
      const { workspace_id } = scope;
      const place = { workspace_id, kb_id };
      const status = patch.status === before.status ? undefined : patch.status;
      if (status !== undefined && status !== 'training' && (status !== 'uploaded' || before.status === 'folder'))
        throw conflict(`A document that is ${before.status} can't be made ${status}`, 'bad_status');
      const [again] = status === 'training' ? await store.findTrainableDocuments(db, workspace_id, kb_id, { id }) : [];
      if (status === 'training' && !again)
        throw invalid(['body', 'status'], 'there is nothing to train it from', status);
      return db.transaction(scope, async (tx) => {
        const prefix = patch.prefix === undefined ? undefined : folderOf(patch.prefix);
        const uploaded = status === 'uploaded' ? status : undefined;
        if (before.status === 'folder') await moveContents(tx, workspace_id, before, patch);
        await store.updateDocument(tx, workspace_id, kb_id, id, { ...patch, prefix, status: uploaded });
        if (prefix !== undefined && prefix !== before.prefix)
          await store.recordIndexChanges(tx, workspace_id, kb_id, [id], 'moved');
        if (uploaded) await store.recordIndexChanges(tx, workspace_id, kb_id, [id], 'removed');
        if (again) await begin.again(tx, place, base.settings, [id]);
        else if (base.index_name !== null) await queue.sync(tx, place);
        return (await store.findDocument(tx, workspace_id, kb_id, id)) as KbDocument;
      });
    },

    /** Answers the document as it was. What is in a folder goes with it. */
    async remove(scope: Scope, kb_id: string, id: string): Promise<KbDocument> {
      await bases.find(scope, kb_id);
      const { workspace_id } = scope;
      let own: string[] = [];
      const before = await db.transaction(scope, async (tx) => {
        const found = await store.findDocument(tx, workspace_id, kb_id, id);
        if (!found) throw notFound('document');
        const path = found.status === 'folder' ? folderPath(found) : undefined;
        const inside = path === undefined ? [] : await store.documentsIn(tx, workspace_id, kb_id, path);
        const gone = await removeDocuments(tx, queue, { workspace_id, kb_id }, [...new Set([id, ...inside])]);
        if (gone.removed === 0) throw notFound('document');
        own = gone.file_ids;
        return found;
      });
      await removeFiles(files, scope, own);
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
