import type { ActorName } from '@atrium/contract/actor.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Db } from '../../db/database.ts';
import { etagColumn, nextEtag } from '../../db/etag.ts';
import { type ListColumns, listConditions } from '../../db/list-query.ts';
import { type PageRows, readPage } from '../../db/read-page.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Rights } from '../../execution/effective-permissions.ts';
import type { SecretSetting } from '../tools/ports.ts';
import { locksColumn, type StoredLock } from './locks/lock-store.ts';

/** An agent as stored; its settings are JSON text of the keys that were set. */
export interface AgentRow {
  id: string;
  group_id: string;
  name: string;
  description: string | null;
  visible: boolean;
  image_url: string | null;
  allow_public_access: boolean;
  version_id: string;
  etag: string;
  created_at: string;
  last_updated_at: string;
  deleted_at: string | null;
  locks: StoredLock[];
  definition: string;
  draft_definition: string | null;
  draft_by: string | null;
  draft_at: string | null;
  draft_by_actor?: ActorName | null;
}

/** Who changed the draft and when; null when there is no draft. */
export const draftOf = ({ draft_definition, draft_by: by, draft_by_actor: by_actor = null, draft_at: at }: AgentRow) =>
  draft_definition === null ? null : { by, by_actor, at };

export type AgentFields = Pick<AgentRow, 'name' | 'description' | 'visible' | 'image_url' | 'allow_public_access'>;

const listed = sql`a.id, a.workspace_id as group_id, a.name, a.description, a.visible, a.image_url,
  a.allow_public_access, a.published_version_id as version_id, ${etagColumn}, a.created_at, a.last_updated_at,
  a.deleted_at, a.draft_by, a.draft_at`;
const columns = sql`${listed}, ${locksColumn}, v.definition, a.draft_definition`;
/** Summaries do without the settings, which are nearly all of an agent. */
const summaryColumns = sql`${listed}, '[]'::json as locks, '' as definition,
  case when a.draft_definition is not null then '' end as draft_definition`;
const withVersion = sql`join agent_versions v on v.workspace_id = a.workspace_id and v.id = a.published_version_id`;

/** The agent and its first version, in one statement. */
export async function insertAgent(
  db: Db,
  workspace_id: string,
  agent: AgentFields & {
    id: string;
    version_id: string;
    version_name?: string;
    version_description?: string | undefined;
    definition: string;
    created_by: string;
    rights: Rights;
    restricted_settings: readonly SecretSetting[];
  },
): Promise<void> {
  await db.run(sql`
    with version as (
      insert into agent_versions (workspace_id, agent_id, id, number, name, description, definition, created_by, rights,
        restricted_settings)
      values (${workspace_id}, ${agent.id}, ${agent.version_id}, 1, ${agent.version_name ?? 'v1'},
        ${agent.version_description ?? null}, ${agent.definition}, ${agent.created_by},
        ${agent.rights}::text[], ${agent.restricted_settings}::text[]))
    insert into agents (workspace_id, id, name, description, visible, image_url, allow_public_access,
                        published_version_id, etag_ms)
    values (${workspace_id}, ${agent.id}, ${agent.name}, ${agent.description}, ${agent.visible}, ${agent.image_url},
            ${agent.allow_public_access}, ${agent.version_id}, ${Date.now()})`);
}

/** The ids of all agents that are not deleted, the oldest first. */
export const listAgentIds = async (db: Db, workspace_id: string) =>
  (
    await db.rows<{ id: string }>(
      sql`select id from agents where workspace_id = ${workspace_id} and deleted_at is null order by id`,
    )
  ).map(({ id }) => id);

export const findAgent = (db: Db, workspace_id: string, id: string) =>
  db.row<AgentRow>(sql`
    select ${columns} from agents a ${withVersion}
    where a.workspace_id = ${workspace_id} and a.id = ${id} and a.deleted_at is null`);

/**
 * The same, held until the transaction ends, so that two changes of one agent follow each other. Read only once it is
 * held: one statement that waits sees the row as it has become, but joins it to the versions as they were before.
 */
export async function lockAgent(tx: Db, workspace_id: string, id: string): Promise<AgentRow | undefined> {
  await tx.run(sql`select from agents where workspace_id = ${workspace_id} and id = ${id} for update`);
  return findAgent(tx, workspace_id, id);
}

const listColumns: ListColumns = {
  id: sql`a.id`,
  created_at: sql`a.created_at`,
  updated_at: sql`a.last_updated_at`,
  search: [sql`a.name`],
  sort: { name: sql`lower(a.name)`, last_updated_at: sql`a.last_updated_at` },
};

interface AgentFilter extends ListFilter {
  deleted: boolean;
}

function matching(workspace_id: string, filter: AgentFilter): Sql {
  const state = filter.deleted ? sql`a.deleted_at is not null` : sql`a.deleted_at is null`;
  return sql`a.workspace_id = ${workspace_id} and ${state} ${listConditions(listColumns, filter)}`;
}

export async function listAgents(
  db: Db,
  workspace_id: string,
  filter: AgentFilter & { summary: boolean },
  window: PageWindow,
): Promise<PageRows<AgentRow>> {
  return readPage<AgentRow>(db, {
    ...(filter.summary
      ? { columns: summaryColumns, from: sql`agents a` }
      : { columns, from: sql`agents a ${withVersion}` }),
    ...{ counted: sql`agents a`, where: matching(workspace_id, filter), list: listColumns, window },
    order: { by: sql`a.last_updated_at`, down: true },
    facets: {
      ...{ visible: sql`a.visible`, allow_public_access: sql`a.allow_public_access` },
      has_draft: sql`a.draft_definition is not null`,
    },
  });
}

/** Everything of an agent that can change. `draft_definition` null clears the draft. Without `draft_restricted` that stays. */
export async function updateAgent(
  db: Db,
  workspace_id: string,
  id: string,
  agent: AgentFields & { version_id: string; draft_definition: string | null },
  draft_restricted?: readonly SecretSetting[],
): Promise<void> {
  await db.run(sql`
    update agents set name = ${agent.name}, description = ${agent.description}, visible = ${agent.visible},
      image_url = ${agent.image_url}, allow_public_access = ${agent.allow_public_access},
      published_version_id = ${agent.version_id}, draft_definition = ${agent.draft_definition},
      draft_by = case when ${agent.draft_definition}::text is null then null
        when draft_definition is distinct from ${agent.draft_definition} then current_actor() else draft_by end,
      draft_at = case when ${agent.draft_definition}::text is null then null
        when draft_definition is distinct from ${agent.draft_definition} then now() else draft_at end,
      draft_restricted_settings = coalesce(${draft_restricted ?? null}::text[], draft_restricted_settings),
      last_updated_at = now(), ${nextEtag()}
    where workspace_id = ${workspace_id} and id = ${id}`);
}

/** How many agents this changed: none when it is that way already. */
export const setDeleted = (db: Db, workspace_id: string, id: string, deleted: boolean) =>
  db.run(sql`
    update agents set deleted_at = case when ${deleted} then now() end, ${nextEtag()}
    where workspace_id = ${workspace_id} and id = ${id} and (deleted_at is null) = ${deleted}`);

export const agentsById = (db: Db, workspace_id: string, ids: string[]) =>
  db.rows<{ id: string; name: string }>(sql`
    select id, name from agents where workspace_id = ${workspace_id} and id = any(${ids}) and deleted_at is null`);

/** The names of the workspace's agents, for the words that are no personal data. */
/** The names and pictures of agents, deleted ones too, by id. */
export async function findAgentFaces(db: Db, workspace_id: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await db.rows<{ id: string; name: string; image_url: string | null }>(sql`
    select id, name, image_url from agents where workspace_id = ${workspace_id} and id = any(${[...ids]}::uuid[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

export const agentNames = async (db: Db, workspace_id: string): Promise<string[]> =>
  (
    await db.rows<{ name: string }>(sql`
      select name from agents where workspace_id = ${workspace_id} and deleted_at is null order by id desc limit 1000`)
  ).map(({ name }) => name);

export const agentsByName = (db: Db, workspace_id: string, names: string[]) =>
  db.rows<{ id: string; name: string }>(sql`
    select id, name from agents where workspace_id = ${workspace_id} and name = any(${names}) and deleted_at is null`);

/** Those whose published settings or draft match a pattern. */
export const agentsBySettings = (db: Db, workspace_id: string, pattern: string, limit: number) =>
  db.rows<{ id: string; name: string }>(sql`
    select a.id, a.name from agents a ${withVersion}
    where a.workspace_id = ${workspace_id} and a.deleted_at is null
      and (v.definition ~ ${pattern} or a.draft_definition ~ ${pattern})
    order by a.id limit ${limit}`);

/** Agents whose settings contain one of these ids anywhere. */
export const agentsMentioning = (db: Db, workspace_id: string, ids: readonly string[]) =>
  db.rows<Pick<AgentRow, 'id' | 'name' | 'definition' | 'draft_definition'>>(sql`
    select a.id, a.name, v.definition, a.draft_definition from agents a ${withVersion}
    where a.workspace_id = ${workspace_id} and a.deleted_at is null
      and (v.definition ilike any(${ids.map((id) => `%${id}%`)}) or a.draft_definition ilike any(${ids.map((id) => `%${id}%`)}))
    order by a.id`);
