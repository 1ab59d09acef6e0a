import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { SandboxEngineName } from '@atrium/contract/sandboxes/engines.ts';
import type { Sandbox } from '@atrium/contract/sandboxes/schema.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { nothing, sql } from '../../db/sql.ts';
import { isReadableRun, type RunReach, readableConversations } from '../ownership/service.ts';

export interface SandboxRow extends Omit<Sandbox, 'advice' | 'terminal'> {
  ref: string | null;
  /** The blob that its files are in; null where they are on a disk. */
  files_id: string | null;
}

/** The fields that an engine needs to remove a sandbox. */
export interface SandboxRef {
  workspace_id: string;
  id: string;
  engine: SandboxEngineName;
  ref: string | null;
  files_id: string | null;
}

export type NewSandbox = Pick<SandboxRow, 'id' | 'label' | 'persistent' | 'network' | 'engine' | 'isolation'> & {
  created_by: string;
  /** The conversation that the sandbox belongs to, if it was made for one. */
  conversation_id: string | null;
  /** The workflow run that made it. */
  run_id: string | null;
};

const columns = sql`id, workspace_id as group_id, status, error, label, persistent, network, engine, isolation,
  ref, files_id, created_at, last_activity`;
const place = sql`workspace_id, id, engine, ref, files_id`;

/** Keeps other transactions from adding a sandbox to the workspace. */
export const lockSandboxes = (tx: Db, workspace_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`sandboxes of ${workspace_id}`}, 0))`);

/** Undefined when the workspace, whose sandboxes are locked, has reached its limit. */
export const insertSandbox = (db: Db, workspace_id: string, row: NewSandbox, most: number) =>
  db.row<SandboxRow>(sql`
    insert into sandboxes
      (workspace_id, id, label, persistent, network, status, engine, isolation, created_by, conversation_id, run_id)
    select ${workspace_id}::uuid, ${row.id}::uuid, ${row.label}::text, ${row.persistent}::boolean,
           ${row.network}::boolean, 'creating', ${row.engine}::text, ${row.isolation}::text, ${row.created_by}::text,
           ${row.conversation_id}::uuid, ${row.run_id}::uuid
    where (select count(*) from sandboxes where workspace_id = ${workspace_id}) < ${most}
    returning ${columns}`);

export const findSandbox = (db: Db, workspace_id: string, id: string) =>
  db.row<SandboxRow>(sql`select ${columns} from sandboxes where workspace_id = ${workspace_id} and id = ${id}`);

/** Whose sandboxes a caller sees, besides those that were made for the whole workspace. */
export interface SandboxReach {
  /** The owner whose conversations alone the caller reads; undefined: all. */
  conversations_of: string | undefined;
  /** Undefined: the runs of everybody. */
  runs: RunReach | undefined;
}

/** Without the sandboxes of conversations and runs that the caller may not read. */
const visibleTo = (workspace_id: string, { conversations_of, runs }: SandboxReach) => sql`
  ${conversations_of === undefined ? nothing : sql`and (conversation_id is null or conversation_id in (${readableConversations(workspace_id, conversations_of)}))`}
  ${
    runs === undefined
      ? nothing
      : sql`and (run_id is null or run_id in (
          select run_id from owned_runs where workspace_id = ${workspace_id} and ${isReadableRun(workspace_id, runs)}))`
  }`;

export const isVisible = async (db: Db, workspace_id: string, id: string, reach: SandboxReach) =>
  (await db.row(sql`
    select 1 from sandboxes
    where workspace_id = ${workspace_id} and id = ${id} ${visibleTo(workspace_id, reach)}`)) !== undefined;

/** The person whose conversation the sandbox belongs to; undefined: none. */
export const findOwner = async (db: Db, workspace_id: string, id: string): Promise<string | undefined> =>
  (
    await db.row<{ person_id: string | null }>(sql`
      select c.person_id from sandboxes s join conversations c on c.workspace_id = s.workspace_id and c.id = s.conversation_id
      where s.workspace_id = ${workspace_id} and s.id = ${id}`)
  )?.person_id ?? undefined;

const listColumns: ListColumns = {
  id: sql`id`,
  created_at: sql`created_at`,
  search: [sql`label`],
  sort: { label: sql`lower(label)` },
};

interface SandboxFilter extends ListFilter {
  status: string | undefined;
  reach: SandboxReach;
}
const matching = (workspace_id: string, { status, reach, ...filter }: SandboxFilter) => sql`
  workspace_id = ${workspace_id} ${status ? sql`and status = ${status}` : nothing} ${visibleTo(workspace_id, reach)}
  ${listConditions(listColumns, filter)}`;

export const listSandboxes = (db: Db, workspace_id: string, filter: SandboxFilter, window: PageWindow) => {
  const where = matching(workspace_id, filter);
  return readPage<SandboxRow>(db, { columns, from: sql`sandboxes`, where, list: listColumns, window });
};

/** Also counts as activity. Undefined when the sandbox was deleted meanwhile. */
export const setStatus = (
  db: Db,
  workspace_id: string,
  id: string,
  { status, ref, error }: { status: Sandbox['status']; ref?: string; error?: string },
) =>
  db.row<SandboxRow>(sql`
    update sandboxes
    set status = ${status}, ref = coalesce(${ref ?? null}, ref), error = ${error ?? null}, last_activity = now()
    where workspace_id = ${workspace_id} and id = ${id}
    returning ${columns}`);

export const touchSandbox = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`update sandboxes set last_activity = now() where workspace_id = ${workspace_id} and id = ${id}`);

export const deleteSandbox = (db: Db, workspace_id: string, id: string) =>
  db.row<SandboxRef>(sql`
    delete from sandboxes where workspace_id = ${workspace_id} and id = ${id} returning ${place}`);

/** Marks idle persistent sandboxes as stopped; their files stay. */
export const stopIdle = (db: Db, idle_seconds: number) =>
  db.rows<SandboxRef>(sql`
    update sandboxes set status = 'stopped'
    where persistent and status = 'running' and last_activity < now() - make_interval(secs => ${idle_seconds})
    returning ${place}`);

/** Deletes idle sandboxes that are not persistent, and all sandboxes of deleted workspaces and conversations. */
export const deleteIdle = (db: Db, idle_seconds: number) =>
  db.rows<SandboxRef>(sql`
    delete from sandboxes
    where (not persistent or status = 'creating') and last_activity < now() - make_interval(secs => ${idle_seconds})
       or not exists (select from workspaces where workspaces.id = sandboxes.workspace_id)
       or conversation_id is not null and not exists (select from conversations
          where conversations.workspace_id = sandboxes.workspace_id and conversations.id = conversation_id)
    returning ${place}`);

export const deleteOfWorkspace = (db: Db, workspace_id: string) =>
  db.rows<SandboxRef>(sql`delete from sandboxes where workspace_id = ${workspace_id} returning ${place}`);
