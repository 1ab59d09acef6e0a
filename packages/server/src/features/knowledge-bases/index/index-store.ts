import type { Db } from '../../../db/database.ts';
import { publishEvents } from '../../../db/outbox.ts';
import { nothing, sql } from '../../../db/sql.ts';
import { joinLiveDocument } from '../documents/chunk-store.ts';
import { belongsToKnowledgeBase } from '../store.ts';

export interface DocumentToIndex {
  document_id: string;
  run_id: string;
  live_run: string | null;
  /** The index may hold passages of it already. */
  indexed: boolean;
  prefix: string;
  name: string;
  /** The rights of the index that its passages are in; null: the one for everybody. */
  index_rights_id: number | null;
}

/** Documents that wait for the index. Marks them, because from now on the index may hold some of their passages. */
export async function claimDocumentsToIndex(
  db: Db,
  workspace_id: string,
  kb_id: string,
  most: number,
): Promise<DocumentToIndex[]> {
  return db.rows<DocumentToIndex>(sql`
    with own as (
      select id, indexed from kb_documents
      where workspace_id = ${workspace_id} and kb_id = ${kb_id} and stage = 'index' order by id limit ${most}),
    marked as (
      update kb_documents d set indexed = true,
        -- Passages in the index stay where they are until the change of rights is applied.
        index_rights_id = case when d.indexed then d.index_rights_id else d.rights_id end
      from own
      where d.id = own.id and ${belongsToKnowledgeBase(sql`d`, { workspace_id, kb_id })}
      returning d.id, d.current_run, d.live_run, d.prefix, d.name, d.index_rights_id, own.indexed)
    select id as document_id, current_run as run_id, live_run, indexed, prefix, name, index_rights_id
    from marked order by id`);
}

export interface ChunkToIndex {
  id: string;
  document_id: string;
  run_id: string;
  content: string;
  /** How the text of its document begins. */
  opening: string;
  headings: string[];
  context: string;
  questions: string[];
  embedding: Buffer | null;
  embedding_model: string | null;
  seen_by: string | null;
}

const chunkColumns = sql`c.id, c.document_id, c.run_id, c.content, c.headings, c.context, c.questions, c.embedding,
  c.embedding_model, c.seen_by, left(case when c.position = 0 then c.content else coalesce((
    select f.content from kb_chunks f
    where f.workspace_id = c.workspace_id and f.kb_id = c.kb_id and f.document_id = c.document_id and f.run_id = c.run_id
      and f.position = 0 and f.enabled limit 1), '') end, 300) as opening`;

/** The passages of these trainings, in the order of their ids. */
export const chunksOf = (
  db: Db,
  workspace_id: string,
  kb_id: string,
  documents: readonly Pick<DocumentToIndex, 'document_id' | 'run_id'>[],
  { after, most }: { after: string | undefined; most: number },
) =>
  db.rows<ChunkToIndex>(sql`
    select ${chunkColumns} from unnest(${documents.map(({ document_id }) => document_id)}::uuid[],
      ${documents.map(({ run_id }) => run_id)}::uuid[]) as own (document_id, run_id)
    cross join lateral (
      select * from kb_chunks where workspace_id = ${workspace_id} and kb_id = ${kb_id}
        and document_id = own.document_id and run_id = own.run_id and enabled offset 0) c
    where true ${after === undefined ? nothing : sql`and c.id > ${after}`} order by c.id limit ${most}`);

interface LiveDocument {
  name: string;
  prefix: string;
  rights_id: number | null;
  index_rights_id: number | null;
}

/** All passages of live trainings, for a rebuild. */
export const liveChunks = (
  db: Db,
  workspace_id: string,
  kb_id: string,
  { after, most }: { after: string | undefined; most: number },
) =>
  db.rows<ChunkToIndex & LiveDocument>(sql`
    select ${chunkColumns}, d.name, d.prefix, d.rights_id, d.index_rights_id from kb_chunks c ${joinLiveDocument}
    where c.workspace_id = ${workspace_id} and c.kb_id = ${kb_id} and c.enabled
      ${after === undefined ? nothing : sql`and c.id > ${after}`}
    order by c.id limit ${most}`);

export const countLive = async (db: Db, workspace_id: string, kb_id: string) =>
  (
    await db.row<{ total: number }>(sql`
    select count(*) as total from kb_chunks c ${joinLiveDocument}
    where c.workspace_id = ${workspace_id} and c.kb_id = ${kb_id}`)
  )?.total ?? 0;

/** Makes the trainings live whose passages the index holds now, and deletes the passages of older trainings. */
export async function markTrained(
  tx: Db,
  workspace_id: string,
  kb_id: string,
  done: readonly DocumentToIndex[],
): Promise<void> {
  const [documents, runs] = [done.map(({ document_id }) => document_id), done.map(({ run_id }) => run_id)];
  const trained = await tx.rows<{ id: string; run: string; name: string; rights_id: number | null }>(sql`
    update kb_documents d set status = 'trained', stage = '', progress = 100, live_run = own.run, error = null,
      updated_at = now()
    from unnest(${documents}::uuid[], ${runs}::uuid[]) as own (document, run)
    where d.id = own.document and ${belongsToKnowledgeBase(sql`d`, { workspace_id, kb_id })} and d.current_run = own.run
      and d.stage = 'index'
    returning d.id, own.run, d.name, d.rights_id`);
  const trainedEvent = (data: { document_id: string; run_id: string; name?: string }) => ({
    event: 'document.trained',
    subject_id: kb_id,
    cause: null,
    data: { knowledge_base_id: kb_id, ...data },
  });
  await publishEvents(
    tx,
    workspace_id,
    // Subscribers may be people who must not see the document.
    ...trained.map(({ id, run, name, rights_id }) =>
      trainedEvent({ document_id: id, run_id: run, ...(rights_id === null && { name }) }),
    ),
  );
  const replaced = done.filter(({ live_run }) => live_run !== null).map(({ document_id }) => document_id);
  const outdated = sql`using kb_documents d
      where d.id = any(${replaced}::uuid[]) and ${belongsToKnowledgeBase(sql`d`, { workspace_id, kb_id })}
        and c.workspace_id = d.workspace_id and c.kb_id = d.kb_id and c.document_id = d.id
        and c.run_id is distinct from d.live_run and c.run_id is distinct from d.current_run`;
  if (replaced.length) await tx.run(sql`delete from kb_chunks c ${outdated}`);
  if (replaced.length) await tx.run(sql`delete from kb_text_segments c ${outdated}`);
  await tx.run(sql`
    update kb_runs r set status = 'completed', stage = 'done', progress = 100, finished_at = now()
    where r.id = any(${trained.map(({ run }) => run)}::uuid[]) and ${belongsToKnowledgeBase(sql`r`, { workspace_id, kb_id })}`);
  await tx.run(sql`
    update knowledge_bases set busy_at = now() where workspace_id = ${workspace_id} and id = ${kb_id}`);
}

export interface IndexChange {
  document_id: string;
  change: 'removed' | 'moved' | 'rights';
  /** Null for a deleted document. */
  prefix: string | null;
  index_rights_id: number | null;
  version: number;
}

export const listIndexChanges = (db: Db, workspace_id: string, kb_id: string, most: number) =>
  db.rows<IndexChange>(sql`
    select x.document_id, x.change, x.version, d.prefix, case when d.id is null then x.rights_id else d.index_rights_id end as index_rights_id
    from kb_index_changes x
    left join kb_documents d on d.workspace_id = x.workspace_id and d.kb_id = x.kb_id and d.id = x.document_id
    where x.workspace_id = ${workspace_id} and x.kb_id = ${kb_id} limit ${most}`);

/** Drops changes that the index has followed; one that came in the meantime has another version and stays. */
export const dropChanges = (db: Db, workspace_id: string, kb_id: string, changes: readonly IndexChange[]) =>
  db.run(sql`
    delete from kb_index_changes x
    using unnest(${changes.map(({ document_id }) => document_id)}::uuid[], ${changes.map(({ change }) => change)}::text[],
      ${changes.map(({ version }) => version)}::bigint[]) as own (document_id, change, version)
    where x.workspace_id = ${workspace_id} and x.kb_id = ${kb_id} and x.document_id = own.document_id
      and x.change = own.change and x.version = own.version`);

export interface DocumentToMove extends DocumentToIndex {
  rights_id: number | null;
}

/** Documents whose passages are in the index of other rights than they have now. */
export const findDocumentsToMove = (db: Db, workspace_id: string, kb_id: string, ids: readonly string[]) =>
  db.rows<DocumentToMove>(sql`
    select id as document_id, live_run as run_id, live_run, indexed, prefix, name, index_rights_id, rights_id
    from kb_documents
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = any(${ids}::uuid[])
      and rights_id is distinct from index_rights_id`);

/** Notes in the index of which rights the passages of documents are. */
export const setIndexRights = (
  db: Db,
  workspace_id: string,
  kb_id: string,
  documents: readonly { document_id: string; rights_id: number | null }[],
) =>
  db.run(sql`
    update kb_documents d set index_rights_id = own.rights_id
    from unnest(${documents.map(({ document_id }) => document_id)}::uuid[],
      ${documents.map(({ rights_id }) => rights_id)}::int[]) as own (id, rights_id)
    where d.id = own.id and ${belongsToKnowledgeBase(sql`d`, { workspace_id, kb_id })}`);

/** The language of most documents with these rights; null when none was recognised. */
export const mainLanguage = async (db: Db, workspace_id: string, kb_id: string, rights_id: number | null = null) =>
  (
    await db.row<{ language: string | null }>(sql`
    select language from kb_documents
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and language is not null
      and (status = 'trained' or stage = 'index') and rights_id is not distinct from ${rights_id}
    group by language order by count(*) desc, language limit 1`)
  )?.language ?? null;

/** How long the vectors of a model are, if there are any. */
export const dimensionOf = async (db: Db, workspace_id: string, kb_id: string, model: string) =>
  (
    await db.row<{ dimension: number }>(sql`
    select octet_length(embedding) / 4 as dimension from kb_chunks
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and embedding_model = ${model} and seen_by is null limit 1`)
  )?.dimension ?? null;

/** Passages that lack a vector by this model. */
export const findUnembeddedChunks = (
  db: Db,
  workspace_id: string,
  kb_id: string,
  model: string,
  after: string | undefined,
  most: number,
) =>
  db.rows<{ id: string; name: string; content: string; headings: string[]; context: string; questions: string[] }>(sql`
    select c.id, d.name, c.content, c.headings, c.context, c.questions from kb_chunks c
    cross join lateral (select name from kb_documents where id = c.document_id offset 0) d
    where c.workspace_id = ${workspace_id} and c.kb_id = ${kb_id} and c.embedding_model is distinct from ${model}
      and c.seen_by is null
      ${after === undefined ? nothing : sql`and c.id > ${after}`}
    order by c.id limit ${most}`);

export const setEmbeddings = (
  db: Db,
  workspace_id: string,
  kb_id: string,
  model: string,
  rows: readonly { id: string; bytes: Buffer }[],
) =>
  db.run(sql`
    update kb_chunks c set embedding = v.embedding, embedding_model = ${model}
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ bytes }) => bytes)}::bytea[]) as v (id, embedding)
    where c.id = v.id and ${belongsToKnowledgeBase(sql`c`, { workspace_id, kb_id })}`);

export interface PassageChange {
  chunk_id: string;
  index_rights_id: number | null;
  version: number;
}

export const listPassageChanges = (db: Db, workspace_id: string, kb_id: string, most: number) =>
  db.rows<PassageChange>(sql`
    select x.chunk_id, x.version, d.index_rights_id from kb_passage_changes x
    join kb_documents d on d.workspace_id = x.workspace_id and d.kb_id = x.kb_id and d.id = x.document_id
    where x.workspace_id = ${workspace_id} and x.kb_id = ${kb_id} order by x.chunk_id limit ${most}`);

/** Those of these passages that belong in the index. */
export const findChunksToIndex = (db: Db, workspace_id: string, kb_id: string, ids: readonly string[]) =>
  db.rows<ChunkToIndex & LiveDocument>(sql`
    select ${chunkColumns}, d.name, d.prefix, d.rights_id, d.index_rights_id from kb_chunks c ${joinLiveDocument}
    where c.workspace_id = ${workspace_id} and c.kb_id = ${kb_id} and c.id = any(${ids}::uuid[]) and c.enabled`);

/** Drops changes that the index has followed; one that came in the meantime has another version and stays. */
export const dropPassageChanges = (db: Db, workspace_id: string, kb_id: string, changes: readonly PassageChange[]) =>
  db.run(sql`
    delete from kb_passage_changes x
    using unnest(${changes.map(({ chunk_id }) => chunk_id)}::uuid[], ${changes.map(({ version }) => version)}::bigint[])
      as own (chunk_id, version)
    where x.workspace_id = ${workspace_id} and x.kb_id = ${kb_id} and x.chunk_id = own.chunk_id
      and x.version = own.version`);
