import { conflict, invalid, notFound } from '@atrium/contract/errors.ts';
import type {
  ChunksQuery,
  DocumentCreate,
  DocumentPatch,
  DocumentsQuery,
} from '@atrium/contract/knowledge-bases/inputs.ts';
import type { KbChunk, KbDocument, KbRun } from '@atrium/contract/knowledge-bases/schema.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { pick } from '../../../lib/pick.ts';
import type { Scope } from '../../../lib/scope.ts';
import { withActors } from '../../actors/service.ts';
import type { Files } from '../../files/service.ts';
import * as runs from '../ingest/ingestion-run-store.ts';
import { makeStartTrainings } from '../ingest/start-trainings.ts';
import type { KbQueue } from '../ports.ts';
import { auditedViewers, type Rights } from '../rights/rights.ts';
import { moveFolderRights } from '../rights/rights-store.ts';
import type { KnowledgeBases } from '../service.ts';
import { lockBase } from '../store.ts';
import { findChunkPlace, findNearestPosition, listChunks, listChunksAround } from './chunk-store.ts';
import * as store from './document-store.ts';
import { folderPath, normalizeFolder } from './folder-path.ts';
import { removeDocuments, removeFiles } from './remove-documents.ts';

/** The documents and folders of a knowledge base, their passages and ingestion runs. */
export interface Documents {
  find(scope: Scope, kb_id: string, id: string): Promise<KbDocument>;
  list(scope: Scope, kb_id: string, query: DocumentsQuery, status?: string): Promise<Paged<KbDocument>>;
  create(scope: Scope, kb_id: string, input: DocumentCreate): Promise<KbDocument>;
  /** A new folder counts at once; the status `training` trains again, `uploaded` takes out of the index. */
  update(scope: Scope, kb_id: string, id: string, patch: DocumentPatch): Promise<KbDocument>;
  /** Returns the document as it was. A folder is removed with its content. */
  remove(scope: Scope, kb_id: string, id: string): Promise<KbDocument>;
  chunks(scope: Scope, kb_id: string, query: ChunksQuery): Promise<Paged<KbChunk>>;
  runs(
    scope: Scope,
    kb_id: string,
    query: { status?: string | undefined; run_ids?: string | undefined },
  ): Promise<KbRun[]>;
  /** Which of these ids are documents of the knowledge base; fails when there is no such knowledge base. */
  existing(scope: Scope, kb_id: string, ids: readonly string[]): Promise<Set<string>>;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const splitList = (text: string | undefined) =>
  text
    ?.split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** What the audit log says of a document. */
const auditedFields = (document: KbDocument) => ({
  ...pick(document, ['name', 'prefix', 'status']),
  visible_to: auditedViewers(document.visible_to),
});

export function makeDocuments(deps: {
  db: Database;
  bases: KnowledgeBases;
  files: Files;
  queue: KbQueue;
  rights: Rights;
}): Documents {
  const { db, bases, files, queue, rights } = deps;
  const trainings = makeStartTrainings(queue);

  async function find(scope: Scope, kb_id: string, id: string, from: Db = db): Promise<KbDocument> {
    const visible = await rights.forLists(scope, kb_id);
    const row = await store.findDocument(from, scope.workspace_id, kb_id, id, visible);
    if (!row) throw notFound('document');
    return row;
  }

  /** Moves the content of a folder that is renamed or moved. */
  async function moveContents(tx: Db, workspace_id: string, before: KbDocument, patch: DocumentPatch): Promise<void> {
    const from = folderPath(before);
    const to = folderPath({ name: patch.name ?? before.name, prefix: patch.prefix ?? before.prefix });
    if (to === undefined) throw invalid(['body', 'name'], 'a folder needs a name', patch.name);
    if (from === undefined || from === to) return;
    if (to.startsWith(from)) throw conflict("A folder can't be moved into itself", 'bad_folder');
    const place = { workspace_id, kb_id: before.kb_id };
    // New documents wait until the rights are moved.
    await lockBase(tx, workspace_id, before.kb_id);
    if (!(await moveFolderRights(tx, place, from, to)))
      throw conflict('Both folders have visible_to of their own: take it off one of them first', 'folder_rights');
    const moved = await store.moveDocuments(tx, workspace_id, before.kb_id, from, to);
    const indexed = moved.filter((document) => document.indexed);
    await store.recordIndexChanges(tx, workspace_id, before.kb_id, indexed, 'moved');
  }

  /** The neighbours of a passage, or of a place in the text of a document. */
  async function chunksAround(scope: Scope, kb_id: string, query: ChunksQuery & { around: string }) {
    const { around, document_id } = query;
    const visible = await rights.forLists(scope, kb_id);
    const isPlace = /^\d+$/.test(around);
    if (isPlace && document_id === undefined)
      throw invalid(['query', 'document_id'], 'a place needs the document that it is in', null);
    const found =
      isPlace && document_id !== undefined
        ? await findNearestPosition(db, { workspace_id: scope.workspace_id, kb_id, document_id }, Number(around))
        : await findChunkPlace(db, { workspace_id: scope.workspace_id, kb_id }, around, visible);
    if (!found || (document_id !== undefined && found.document_id !== document_id)) throw notFound('passage');
    const size = query.size ?? query.page_size ?? 5;
    const items = await listChunksAround(db, scope.workspace_id, kb_id, found, size);
    return pageAnswer(await withActors(db, scope, items, 'changed_by'), items.length, { page: 1, size, offset: 0 });
  }

  return {
    find: (scope, kb_id, id) => find(scope, kb_id, id),

    async list(scope, kb_id, query, status) {
      await bases.find(scope, kb_id);
      const page = pageOf(query);
      const prefix = query.prefix === undefined ? undefined : normalizeFolder(query.prefix);
      const filter = { ...query, status, prefix, visible: await rights.forLists(scope, kb_id) };
      const [{ rows, total, last }, facets] = await Promise.all([
        store.listDocuments(db, scope.workspace_id, kb_id, filter, page),
        query.facets ? store.countDocumentFacets(db, scope.workspace_id, kb_id, filter) : undefined,
      ]);
      return { ...pageAnswer(rows, total, page, last), ...(facets && { facets }) };
    },

    async create(scope, kb_id, input) {
      await bases.find(scope, kb_id);
      if (input.status === 'folder' && folderPath(input) === undefined)
        throw invalid(['body', 'name'], 'a folder needs a name', input.name);
      const id = newId();
      const path = input.status === 'folder' ? folderPath(input) : undefined;
      const words = input.visible_to && (await rights.wordsFor(scope, input.visible_to, ['body', 'visible_to']));
      return db.transaction(scope, async (tx) => {
        if (path !== undefined && words !== undefined)
          await rights.setFolder(tx, { workspace_id: scope.workspace_id, kb_id }, path, words);
        await store.insertDocuments(tx, scope.workspace_id, kb_id, [
          {
            id,
            name: input.name,
            prefix: input.prefix,
            status: input.status,
            size: 0,
            source_type: input.source_type,
            file_id: null,
            owns_file: false,
            source_url: null,
            doc_type: null,
            doc_metadata: input.doc_metadata ?? {},
            visible_to: path === undefined ? (words ?? null) : await rights.ofFolder(tx, scope, kb_id, path),
          },
        ]);
        const made = await find(scope, kb_id, id, tx);
        scope.audit?.note({ target: { kind: 'kb_document', id, name: made.name }, after: auditedFields(made) });
        return made;
      });
    },

    async update(scope, kb_id, id, patch) {
      const base = await bases.find(scope, kb_id);
      const before = await find(scope, kb_id, id);
      const { workspace_id } = scope;
      const place = { workspace_id, kb_id };
      const status = patch.status === before.status ? undefined : patch.status;
      if (status !== undefined && status !== 'training' && (status !== 'uploaded' || before.status === 'folder'))
        throw conflict(`A document that is ${before.status} can't be made ${status}`, 'bad_status');
      const [trainable] =
        status === 'training' ? await store.findTrainableDocuments(db, workspace_id, kb_id, { id }) : [];
      if (status === 'training' && !trainable)
        throw invalid(['body', 'status'], 'there is nothing to train it from', status);
      const words = patch.visible_to && (await rights.wordsFor(scope, patch.visible_to, ['body', 'visible_to']));
      return db.transaction(scope, async (tx) => {
        const moved = patch.prefix !== undefined && normalizeFolder(patch.prefix) !== normalizeFolder(before.prefix);
        const uploaded = status === 'uploaded' ? status : undefined;
        if (before.status === 'folder') await moveContents(tx, workspace_id, before, patch);
        await store.updateDocument(tx, workspace_id, kb_id, id, { ...patch, status: uploaded, visible_to: words });
        const path =
          before.status === 'folder'
            ? folderPath({ name: patch.name ?? before.name, prefix: patch.prefix ?? before.prefix })
            : undefined;
        if (path !== undefined && words !== undefined) await rights.setFolder(tx, place, path, words);
        else if (path !== undefined) await rights.copyFolder(tx, place, path, id);
        await rights.dropHiddenTables(tx, place);
        if (moved) await store.recordIndexChanges(tx, workspace_id, kb_id, [{ id }], 'moved');
        if (uploaded) await store.recordIndexChanges(tx, workspace_id, kb_id, [{ id }], 'removed');
        if (trainable) await trainings.startAgain(tx, place, base.settings, [id]);
        else if (base.index_name !== null) await queue.sync(tx, place);
        const after = await find(scope, kb_id, id, tx);
        scope.audit?.note({
          target: { kind: 'kb_document', id, name: after.name },
          ...{ before: auditedFields(before), after: auditedFields(after) },
        });
        return after;
      });
    },

    async remove(scope, kb_id, id) {
      await bases.find(scope, kb_id);
      const { workspace_id } = scope;
      let file_ids: string[] = [];
      const before = await db.transaction(scope, async (tx) => {
        const document = await find(scope, kb_id, id, tx);
        const path = document.status === 'folder' ? folderPath(document) : undefined;
        const visible = await rights.forLists(scope, kb_id);
        const inside =
          path === undefined ? [] : await store.findDocumentsInFolder(tx, workspace_id, kb_id, path, visible);
        // The rights stay where documents are left that this caller does not see.
        if (path !== undefined && visible === 'all') await rights.forgetFolder(tx, { workspace_id, kb_id }, path);
        const deleted = await removeDocuments(tx, queue, { workspace_id, kb_id }, [...new Set([id, ...inside])]);
        if (deleted.removed === 0) throw notFound('document');
        file_ids = deleted.file_ids;
        return document;
      });
      await removeFiles(files, scope, file_ids);
      return before;
    },

    async chunks(scope, kb_id, query) {
      await bases.find(scope, kb_id);
      if (query.document_id !== undefined) await find(scope, kb_id, query.document_id);
      if (query.around !== undefined) return chunksAround(scope, kb_id, { ...query, around: query.around });
      const page = pageOf(query);
      const { document_id, enabled } = query;
      const filter = { document_id, enabled, visible: await rights.forLists(scope, kb_id) };
      const { rows, total, last } = await listChunks(db, scope.workspace_id, kb_id, filter, page);
      return pageAnswer(await withActors(db, scope, rows, 'changed_by'), total, page, last);
    },

    async runs(scope, kb_id, query) {
      await bases.find(scope, kb_id);
      const ids = splitList(query.run_ids)?.filter((id) => uuid.test(id));
      const visible = await rights.forLists(scope, kb_id);
      return runs.listRuns(db, scope.workspace_id, kb_id, { statuses: splitList(query.status), ids, visible });
    },

    async existing(scope, kb_id, ids) {
      await bases.find(scope, kb_id);
      const visible = await rights.forLists(scope, kb_id);
      return new Set((await store.existingDocuments(db, scope.workspace_id, kb_id, ids, visible)).map(({ id }) => id));
    },
  };
}
