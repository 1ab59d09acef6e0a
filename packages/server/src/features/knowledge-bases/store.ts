import type { KnowledgeBase } from '@atrium/contract/knowledge-bases/schema.ts';
import type { SparseKbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { replanEachTime, type Sql, sql } from '../../db/sql.ts';
import type { KbRef } from './ports.ts';
import { isVisible, type Visible } from './rights/rights-store.ts';

/** The counts of the documents of a knowledge base. */
type Sums = Pick<
  KnowledgeBase,
  | 'total_documents'
  | 'training_documents'
  | 'trained_documents'
  | 'error_documents'
  | 'uploaded_documents'
  | 'size'
  | 'source_types'
  | 'training_source_types'
> & {
  stages: Record<string, number>;
  training_progress: number;
  /** Whether a site is crawled, or a document was changed within the last two seconds. */
  busy: boolean;
  last_change: string | null;
};

/** A knowledge base as stored. */
export interface BaseRow
  extends Omit<
    KnowledgeBase,
    keyof Sums | 'settings_' | 'health' | 'embedding_health' | 'num_docs' | 'progress' | 'progress_details'
  > {
  tenant_id: string;
  settings: SparseKbSettings;
  summary_embedding: number[] | null;
  needs_reindex: boolean;
  summary_input: string | null;
  index_name: string | null;
  index_language: string | null;
  index_model: string | null;
  index_dimension: number | null;
  /** The last search found the index damaged. */
  index_damaged: boolean;
  embedding_error: string | null;
  embedding_detected: number | null;
  busy_at: string | null;
  /** When the record itself was last changed. */
  changed_at: string;
}

/** With the counts of its documents, for which all of them are read. */
export interface CountedBase extends BaseRow, Sums {}

const columns = sql`b.id, b.workspace_id as group_id, w.tenant_id, b.name, b.status, b.description, b.document_types,
  b.kb_type, b.created_at, b.updated_at, b.error, b.version, b.summary, b.summary_embedding, b.needs_summary_update,
  b.summary_input, b.meta, b.settings, b.needs_reindex, b.index_name, b.index_language, b.index_model, b.index_dimension,
  b.index_damaged, b.embedding_error, b.embedding_detected, b.busy_at, b.changed_at,
  b.etag::text as etag`;

/** Computes all counts of visible documents in one pass over the documents. */
const sums = (visible: Visible) => sql`
  cross join lateral (
    select coalesce(sum(n), 0)::int as total_documents,
      coalesce(sum(n) filter (where status = 'training'), 0)::int as training_documents,
      coalesce(sum(n) filter (where status = 'trained'), 0)::int as trained_documents,
      coalesce(sum(n) filter (where status = 'error'), 0)::int as error_documents,
      coalesce(sum(n) filter (where status = 'uploaded'), 0)::int as uploaded_documents,
      coalesce(sum(bytes), 0)::bigint as size,
      coalesce(sum(done) filter (where status = 'training'), 0)::int as training_progress,
      coalesce((select json_object_agg(source_type, m) from (
        select source_type, sum(n)::int as m from jsonb_to_recordset(coalesce(jsonb_agg(g), '[]'))
          as x (source_type text, n int) group by 1) y), '{}') as source_types,
      coalesce((select json_object_agg(stage, m) from (
        select stage, sum(n)::int as m from jsonb_to_recordset(coalesce(jsonb_agg(g), '[]'))
          as x (stage text, status text, n int) where x.status = 'training' group by 1) y), '{}') as stages,
      coalesce(array_agg(distinct source_type) filter (where status = 'training'), '{}') as training_source_types,
      max(changed) as last_change, coalesce(max(changed) > now() - interval '2 seconds', false) or exists (
        select from kb_sites s where s.workspace_id = b.workspace_id and s.kb_id = b.id and s.current_run is not null
          and ${isVisible(sql`s`, visible)}) as busy
    from (
      select status, source_type, stage, count(*)::int as n, sum(size) as bytes, sum(progress) as done,
        max(updated_at) as changed
      from kb_documents k where workspace_id = b.workspace_id and kb_id = b.id and status <> 'folder'
        and ${isVisible(sql`k`, visible)}
      group by status, source_type, stage) g) d`;

const tables = sql`knowledge_bases b join workspaces w on w.id = b.workspace_id`;

/** Without the counts, so that searches and jobs do not get slower with the number of documents. */
export const findBase = (db: Db, workspace_id: string, id: string) =>
  db.row<BaseRow>(sql`select ${columns} from ${tables} where b.workspace_id = ${workspace_id} and b.id = ${id}`);

export const findCounted = (db: Db, workspace_id: string, id: string, visible: Visible) =>
  db.row<CountedBase>(sql`
    select ${columns}, d.* from ${tables} ${sums(visible)} where b.workspace_id = ${workspace_id} and b.id = ${id}`);

const listColumns: ListColumns = {
  id: sql`b.id`,
  created_at: sql`b.created_at`,
  updated_at: sql`b.updated_at`,
  search: [sql`b.name`],
  sort: { name: sql`lower(b.name)`, updated_at: sql`b.updated_at` },
};
const inList = (workspace_id: string, filter: ListFilter) =>
  sql`b.workspace_id = ${workspace_id} ${listConditions(listColumns, filter)}`;

export const listBases = (db: Db, workspace_id: string, filter: ListFilter, window: PageWindow, visible: Visible) =>
  readPage<CountedBase>(db, {
    ...{ columns: sql`${columns}, d.*`, counted: sql`knowledge_bases b`, where: inList(workspace_id, filter) },
    ...{ from: sql`${tables} ${sums(visible)}`, list: listColumns, window },
  });

/** Locks the knowledge base until the transaction ends. */
interface LockedBase {
  name: string;
  description: string;
  document_types: string[];
  settings: SparseKbSettings;
  index_name: string | null;
  index_model: string | null;
}

export const lockBase = (tx: Db, workspace_id: string, id: string) =>
  tx.row<LockedBase>(sql`
    select name, description, document_types, settings, index_name, index_model from knowledge_bases
    where workspace_id = ${workspace_id} and id = ${id} for update`);

export interface NewBase {
  id: string;
  name: string;
  description: string;
  document_types: string[];
  kb_type: string;
  version: string;
  meta: Record<string, unknown>;
  settings: SparseKbSettings;
}

export const insertBase = (db: Db, workspace_id: string, base: NewBase) =>
  db.run(sql`
    insert into knowledge_bases
      (workspace_id, id, name, description, document_types, kb_type, version, meta, settings)
    values (${workspace_id}, ${base.id}, ${base.name}, ${base.description}, ${base.document_types}, ${base.kb_type},
      ${base.version}, ${JSON.stringify(base.meta)}, ${JSON.stringify(base.settings)})`);

export interface BaseChange {
  name?: string | undefined;
  description?: string | undefined;
  document_types?: string[] | undefined;
  version?: string | undefined;
  meta?: Record<string, unknown> | undefined;
  error?: Record<string, unknown> | undefined;
  summary?: string | undefined;
  summary_embedding?: number[] | undefined;
  needs_summary_update?: boolean | undefined;
  settings?: SparseKbSettings | undefined;
  needs_reindex?: boolean | undefined;
  /** A hash of what the summary was made from. */
  summary_input?: string | undefined;
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

/** Fields that are not given stay. */
export const updateBase = (db: Db, workspace_id: string, id: string, change: BaseChange) =>
  db.run(sql`
    update knowledge_bases set
      name = coalesce(${change.name ?? null}, name), description = coalesce(${change.description ?? null}, description),
      document_types = coalesce(${change.document_types ?? null}, document_types),
      version = coalesce(${change.version ?? null}, version), meta = coalesce(${json(change.meta)}::json, meta),
      error = coalesce(${json(change.error)}::json, error), summary = coalesce(${change.summary ?? null}, summary),
      summary_embedding = coalesce(${change.summary_embedding ?? null}, summary_embedding),
      needs_summary_update = coalesce(${change.needs_summary_update ?? null}, needs_summary_update),
      settings = coalesce(${json(change.settings)}::json, settings),
      needs_reindex = coalesce(${change.needs_reindex ?? null}, needs_reindex), updated_at = now(), changed_at = now(),
      summary_input = coalesce(${change.summary_input ?? null}, summary_input)
    where workspace_id = ${workspace_id} and id = ${id}`);

export const deleteBase = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`delete from knowledge_bases where workspace_id = ${workspace_id} and id = ${id}`);

/** Notes that documents are being trained. */
export const markBusy = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`
    update knowledge_bases set status = 'training', busy_at = now(), updated_at = now()
    where workspace_id = ${workspace_id} and id = ${id}`);

/** Sets the status after all trainings; false when another training was noted since the row was read. */
export const endBurst = async (
  db: Db,
  { group_id, id, busy_at }: BaseRow,
  to: { status: 'ready' | 'error'; error: unknown },
) =>
  (await db.run(sql`
    update knowledge_bases set status = ${to.status}, error = ${to.error === null ? null : JSON.stringify(to.error)},
      updated_at = now()
    where workspace_id = ${group_id} and id = ${id}
      and date_trunc('milliseconds', busy_at) is not distinct from ${busy_at}::timestamptz`)) > 0;

export const setEmbeddingHealth = (
  db: Db,
  workspace_id: string,
  id: string,
  { error, detected }: { error: string | null; detected: number | null },
) =>
  db.run(sql`
    update knowledge_bases set embedding_error = ${error}, embedding_detected = coalesce(${detected}::int, embedding_detected)
    where workspace_id = ${workspace_id} and id = ${id}
      and (embedding_error is distinct from ${error} or (${detected}::int is not null and embedding_detected is distinct from ${detected}::int))`);

/** Clears the health of the embedding model, because another model is used from now on. */
export const forgetEmbeddingHealth = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`
    update knowledge_bases set embedding_error = null, embedding_detected = null
    where workspace_id = ${workspace_id} and id = ${id}`);

export interface IndexFacts {
  name: string;
  language: string | null;
  model: string | null;
  dimension: number | null;
}

export const setIndex = (db: Db, workspace_id: string, id: string, facts: IndexFacts) =>
  db.run(sql`
    update knowledge_bases set index_name = ${facts.name}, index_language = ${facts.language},
      index_model = ${facts.model}, index_dimension = ${facts.dimension}, index_damaged = false
    where workspace_id = ${workspace_id} and id = ${id}`);

/** Notes the state of the index with this name; a newer index is not affected. */
export const setIndexDamaged = (db: Db, { group_id, id, index_name }: BaseRow, damaged: boolean) =>
  db.run(sql`
    update knowledge_bases set index_damaged = ${damaged}
    where workspace_id = ${group_id} and id = ${id} and index_name = ${index_name}`);

/** The fields by which an agent chooses a knowledge base. */
export interface KnownBase {
  id: string;
  name: string;
  description: string;
  summary: string;
  summary_embedding: number[] | null;
  settings: SparseKbSettings;
}

const known = sql`id, name, description, summary, summary_embedding, settings`;

export const basesById = (db: Db, workspace_id: string, ids: readonly string[]) =>
  db.rows<KnownBase>(sql`
    select ${known} from knowledge_bases where workspace_id = ${workspace_id} and id = any(${ids}::uuid[])`);

export const basesByName = (db: Db, workspace_id: string, names: readonly string[]) =>
  db.rows<{ id: string; name: string }>(sql`
    select id, name from knowledge_bases where workspace_id = ${workspace_id} and name = any(${names})`);

/** The names of the workspace's knowledge bases, for the words that are no personal data. */
export const knowledgeBaseNames = async (db: Db, workspace_id: string): Promise<string[]> =>
  (
    await db.rows<{ name: string }>(sql`
      select name from knowledge_bases where workspace_id = ${workspace_id} order by id desc limit 1000`)
  ).map(({ name }) => name);

export const baseNames = (db: Db, workspace_id: string) =>
  db.rows<KnownBase>(
    sql`select ${known} from knowledge_bases where workspace_id = ${workspace_id} order by id limit 200`,
  );

/**
 * The condition that a row, looked up by its id, belongs to the knowledge base. No index fits it on purpose: PostgreSQL
 * takes a knowledge base without statistics for a single row and would scan all of it instead of looking up ten ids.
 */
export const belongsToKnowledgeBase = (row: Sql, { workspace_id, kb_id }: KbRef): Sql =>
  sql`${replanEachTime}array[${row}.workspace_id, ${row}.kb_id] = array[${workspace_id}, ${kb_id}]::uuid[]`;

/** The tenant of a workspace; undefined when the workspace is deleted. */
export const findTenant = (db: Db, workspace_id: string) =>
  db.row<{ tenant_id: string }>(sql`select tenant_id from workspaces where id = ${workspace_id}`);

/** Knowledge bases with a document that was made of a file. */
export const basesWithFile = (db: Db, workspace_id: string, file_id: string, limit: number) =>
  db.rows<{ id: string; name: string }>(sql`
    select b.id, b.name from knowledge_bases b
    where b.workspace_id = ${workspace_id} and b.id in (
      select d.kb_id from kb_documents d where d.workspace_id = ${workspace_id} and d.file_id = ${file_id})
    order by b.id limit ${limit}`);
