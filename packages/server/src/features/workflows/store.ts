import type { ActorName } from '@atrium/contract/actor.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { nothing, sql } from '../../db/sql.ts';
import type { Rights } from '../../execution/effective-permissions.ts';
import type { WorkflowType } from './definition/check-definition.ts';

export interface WorkflowRow {
  id: string;
  group_id: string;
  name: string;
  type: WorkflowType;
  graph_id: string;
  valid: boolean;
  error_handler: string | null;
  /** JSON text, as it was sent. */
  definition: string;
  /** The permissions of the caller that saved it. */
  rights: Rights;
  /** The key that saved it, or the first key that it was rotated from. */
  saved_by: string | null;
  created_at: string;
  updated_at: string;
  updated_by: string | null;
  updated_by_actor?: ActorName | null;
  etag: string;
  deleted_at: string | null;
  /** Whether new definitions go to the draft. */
  drafts: boolean;
  /** Null: there is no draft. */
  draft_graph_id: string | null;
  draft_valid: boolean;
  draft_by: string | null;
  draft_by_actor?: ActorName | null;
  draft_at: string | null;
}

export interface VersionRow {
  id: string;
  workflow_id: string;
  name: string;
  description: string | null;
  graph_id: string;
  valid: boolean;
  definition: string;
  rights: Rights;
  saved_by: string | null;
  created_by: string | null;
  created_by_actor?: ActorName | null;
  created_at: string;
  etag: string;
}

const listed = sql`w.id, w.workspace_id as group_id, w.name, w.type, w.graph_id, w.valid, w.error_handler, w.created_at,
  w.updated_at, w.etag_by as updated_by, w.etag::text as etag, w.deleted_at, w.drafts,
  w.draft_graph_id, w.draft_valid, w.draft_by, w.draft_at`;
const workflowColumns = sql`${listed}, g.definition, g.rights, g.saved_by`;
/** Summaries do without the graph, which is nearly all of a workflow. */
const summaryColumns = sql`${listed}, '' as definition, '{}'::text[] as rights, null as saved_by`;
const withGraph = sql`workflows w join workflow_graphs g on g.workspace_id = w.workspace_id and g.id = w.graph_id`;
const versionColumns = sql`v.id, v.workflow_id, v.name, v.description, v.graph_id, v.valid, g.definition, g.rights, g.saved_by, v.created_by,
  v.created_at, v.etag::text as etag`;
const versionWithGraph = sql`workflow_versions v
  join workflow_graphs g on g.workspace_id = v.workspace_id and g.id = v.graph_id`;

export const insertGraph = (
  db: Db,
  workspace_id: string,
  id: string,
  definition: string,
  { rights, saved_by }: Pick<WorkflowRow, 'rights' | 'saved_by'>,
) =>
  db.run(sql`
    insert into workflow_graphs (workspace_id, id, definition, rights, saved_by)
    values (${workspace_id}, ${id}, ${definition}, ${rights}::text[], ${saved_by})`);

/** Marks a graph as replaced. It is kept for the runs that began with it. */
export const replaceGraph = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`
    update workflow_graphs set replaced_at = now() where workspace_id = ${workspace_id} and id = ${id}`);

export const findGraph = (db: Db, workspace_id: string, id: string) =>
  db.row<Pick<WorkflowRow, 'definition' | 'rights' | 'saved_by'>>(
    sql`select definition, rights, saved_by from workflow_graphs where workspace_id = ${workspace_id} and id = ${id}`,
  );

export interface NewWorkflow {
  id: string;
  name: string;
  type: WorkflowType;
  graph_id: string;
  valid: boolean;
  error_handler: string | null;
  drafts: boolean;
}

export const insertWorkflow = (db: Db, workspace_id: string, row: NewWorkflow) =>
  db.run(sql`
    insert into workflows (workspace_id, id, name, type, graph_id, valid, error_handler, drafts)
    values (${workspace_id}, ${row.id}, ${row.name}, ${row.type}, ${row.graph_id}, ${row.valid}, ${row.error_handler},
      ${row.drafts})`);

export const findWorkflow = (db: Db, workspace_id: string, id: string, lock = false) =>
  db.row<WorkflowRow>(sql`
    select ${workflowColumns} from ${withGraph}
    where w.workspace_id = ${workspace_id} and w.id = ${id} and w.deleted_at is null ${lock ? sql`for update of w` : nothing}`);

export const findDeleted = (db: Db, workspace_id: string, id: string) =>
  db.row<WorkflowRow>(sql`
    select ${workflowColumns} from ${withGraph}
    where w.workspace_id = ${workspace_id} and w.id = ${id} and w.deleted_at is not null`);

const listColumns: ListColumns = {
  id: sql`w.id`,
  created_at: sql`w.created_at`,
  updated_at: sql`w.updated_at`,
  search: [sql`w.name`],
  sort: { name: sql`lower(w.name)`, updated_at: sql`w.updated_at` },
};

export async function listWorkflows(
  db: Db,
  workspace_id: string,
  {
    type,
    deleted,
    summary,
    ...filter
  }: ListFilter & { type: WorkflowType | undefined; deleted: boolean; summary: boolean },
  window: PageWindow,
) {
  const where = sql`w.workspace_id = ${workspace_id} and w.deleted_at is ${deleted ? sql`not null` : sql`null`}
    ${type ? sql`and w.type = ${type}` : nothing} ${listConditions(listColumns, filter)}`;
  const counted = sql`workflows w`;
  const selected = summary
    ? { columns: summaryColumns, from: counted }
    : { columns: workflowColumns, from: withGraph, counted };
  return readPage<WorkflowRow>(db, { ...selected, where, list: listColumns, window });
}

export const updateWorkflow = (db: Db, workspace_id: string, row: NewWorkflow) =>
  db.run(sql`
    update workflows set name = ${row.name}, type = ${row.type}, graph_id = ${row.graph_id}, valid = ${row.valid},
      error_handler = ${row.error_handler}, drafts = ${row.drafts}, updated_at = now()
    where workspace_id = ${workspace_id} and id = ${row.id}`);

export const deleteWorkflow = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`
    update workflows set deleted_at = now()
    where workspace_id = ${workspace_id} and id = ${id} and deleted_at is null`);

export const restoreWorkflow = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`
    update workflows set deleted_at = null
    where workspace_id = ${workspace_id} and id = ${id} and deleted_at is not null`);

export const workflowsById = (db: Db, workspace_id: string, ids: readonly string[]) =>
  db.rows<{ id: string; name: string }>(sql`
    select id, name from workflows
    where workspace_id = ${workspace_id} and id = any(${ids}::uuid[]) and deleted_at is null`);

export const workflowsByName = (db: Db, workspace_id: string, names: readonly string[]) =>
  db.rows<{ id: string; name: string }>(sql`
    select id, name from workflows
    where workspace_id = ${workspace_id} and name = any(${names}) and deleted_at is null`);

/** The ids of all workflows that are not deleted, the oldest first. */
export const listWorkflowIds = async (db: Db, workspace_id: string) =>
  (
    await db.rows<{ id: string }>(
      sql`select id from workflows where workspace_id = ${workspace_id} and deleted_at is null order by id`,
    )
  ).map(({ id }) => id);

/** The names of the workspace's workflows, for the words that are no personal data. */
export const workflowNames = async (db: Db, workspace_id: string): Promise<string[]> =>
  (
    await db.rows<{ name: string }>(sql`
      select name from workflows where workspace_id = ${workspace_id} and deleted_at is null order by id desc limit 1000`)
  ).map(({ name }) => name);

/** Workflows that name a record, now, as their error handler, in their draft or in one of their versions. */
export const workflowsMentioning = (db: Db, workspace_id: string, pattern: string, limit: number) =>
  db.rows<{ id: string; name: string }>(sql`
    select w.id, w.name from workflows w
    where w.workspace_id = ${workspace_id} and w.deleted_at is null and (w.error_handler::text ~ ${pattern} or exists (
      select 1 from workflow_graphs g
      where g.workspace_id = w.workspace_id
        and (g.id in (w.graph_id, w.draft_graph_id) or g.id in (
          select v.graph_id from workflow_versions v where v.workspace_id = w.workspace_id and v.workflow_id = w.id))
        and g.definition ~ ${pattern}))
    order by w.id limit ${limit}`);

/** Workflows with a template that uses a variable, or with a node that holds its name. */
export const workflowsByVariable = (db: Db, workspace_id: string, name: string, pattern: string, limit: number) =>
  db.rows<{ id: string; name: string }>(sql`
    select w.id, w.name from workflows w
    where w.workspace_id = ${workspace_id} and w.deleted_at is null and exists (
      select 1 from workflow_graphs g
      where g.workspace_id = w.workspace_id
        and (g.id in (w.graph_id, w.draft_graph_id) or g.id in (
          select v.graph_id from workflow_versions v where v.workspace_id = w.workspace_id and v.workflow_id = w.id))
        and (g.definition ~ ${pattern}
          or (strpos(g.definition, '"VariableNode"') > 0 and strpos(g.definition, ${`"name":"${name}"`}) > 0)))
    order by w.id limit ${limit}`);

export const insertVersion = (
  db: Db,
  workspace_id: string,
  row: Omit<VersionRow, 'definition' | 'rights' | 'saved_by' | 'created_at' | 'etag'>,
) =>
  db.run(sql`
    insert into workflow_versions (workspace_id, id, workflow_id, name, description, graph_id, valid, created_by)
    values (${workspace_id}, ${row.id}, ${row.workflow_id}, ${row.name}, ${row.description}, ${row.graph_id}, ${row.valid},
      ${row.created_by})`);

export const updateVersion = (
  db: Db,
  workspace_id: string,
  row: Omit<VersionRow, 'definition' | 'rights' | 'saved_by' | 'created_at' | 'etag'>,
) =>
  db.run(sql`
    update workflow_versions set name = ${row.name}, description = ${row.description}, graph_id = ${row.graph_id},
      valid = ${row.valid}
    where workspace_id = ${workspace_id} and id = ${row.id}`);

/** The existing versions among the ids, each with its workflow. */
export const versionsById = (db: Db, workspace_id: string, ids: readonly string[]) =>
  db.rows<{ id: string; workflow_id: string }>(sql`
    select id, workflow_id from workflow_versions where workspace_id = ${workspace_id} and id = any(${ids}::uuid[])`);

export const findVersion = (db: Db, workspace_id: string, workflow_id: string, id: string, lock = false) =>
  db.row<VersionRow>(sql`
    select ${versionColumns} from ${versionWithGraph}
    where v.workspace_id = ${workspace_id} and v.workflow_id = ${workflow_id} and v.id = ${id}
    ${lock ? sql`for update of v` : nothing}`);

export const listVersions = (db: Db, workspace_id: string, workflow_id: string) =>
  db.rows<VersionRow>(sql`
    select ${versionColumns} from ${versionWithGraph}
    where v.workspace_id = ${workspace_id} and v.workflow_id = ${workflow_id} order by v.id desc limit 1000`);
