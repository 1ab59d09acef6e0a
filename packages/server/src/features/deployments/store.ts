import type { ChannelName, ConfigValues } from '@atrium/contract/deployments/channel-config.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import type { Db } from '../../db/database.ts';
import { etagColumn, nextEtag } from '../../db/etag.ts';
import { type ListColumns, listConditions, oldestFirst } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { nothing, sql } from '../../db/sql.ts';
import { type Owned, ownedColumns } from '../../execution/owner-rights.ts';

export interface DeploymentRow extends Owned {
  id: string;
  group_id: string;
  agent_id: string;
  channel: ChannelName;
  name: string;
  enabled: boolean;
  custom_instructions: string | null;
  config: ConfigValues;
  /** Sealed. */
  secrets: string | null;
  /** Sealed; of `web` only. */
  token: string | null;
  permissions: Permission[];
  last_message_at: string | null;
  last_error: string | null;
  last_error_at: string | null;
  etag: string;
  created_at: string;
  last_updated_at: string;
}

const columns = sql`id, workspace_id as group_id, agent_id, channel, name, enabled, custom_instructions, config, secrets,
  token, permissions, last_message_at, last_error, last_error_at, ${etagColumn}, created_at, last_updated_at,
  ${ownedColumns(sql`deployments`)}`;

export interface NewDeployment
  extends Pick<
    DeploymentRow,
    'id' | 'agent_id' | 'channel' | 'name' | 'enabled' | 'custom_instructions' | 'secrets' | 'token' | 'permissions'
  > {
  config: ConfigValues;
  token_hash: Buffer | null;
  owner_id: string | null;
}

export const insertDeployment = async (db: Db, workspace_id: string, row: NewDeployment) =>
  await db.one<DeploymentRow>(sql`
    insert into deployments (workspace_id, id, agent_id, channel, name, enabled, custom_instructions, config, secrets,
      token_hash, token, permissions, etag_ms, owner_id)
    values (${workspace_id}, ${row.id}, ${row.agent_id}, ${row.channel}, ${row.name}, ${row.enabled},
      ${row.custom_instructions}, ${JSON.stringify(row.config)}, ${row.secrets}, ${row.token_hash}, ${row.token},
      ${row.permissions}, ${Date.now()}, ${row.owner_id})
    returning ${columns}`);

export const findDeployment = (db: Db, workspace_id: string, agent_id: string, id: string) =>
  db.row<DeploymentRow>(sql`
    select ${columns} from deployments
    where workspace_id = ${workspace_id} and agent_id = ${agent_id} and id = ${id}`);

/** Held until the transaction ends. */
export const lockDeployment = (db: Db, workspace_id: string, agent_id: string, id: string) =>
  db.row<DeploymentRow>(sql`
    select ${columns} from deployments
    where workspace_id = ${workspace_id} and agent_id = ${agent_id} and id = ${id} for update`);

const listColumns: ListColumns = {
  id: sql`id`,
  created_at: sql`created_at`,
  updated_at: sql`last_updated_at`,
  search: [sql`name`],
  sort: { name: sql`lower(name)`, last_updated_at: sql`last_updated_at` },
};

export async function listDeployments(
  db: Db,
  workspace_id: string,
  agent_id: string,
  filter: ListFilter,
  window: PageWindow,
) {
  const where = sql`workspace_id = ${workspace_id} and agent_id = ${agent_id} ${listConditions(listColumns, filter)}`;
  return readPage<DeploymentRow>(db, {
    columns,
    from: sql`deployments`,
    where,
    list: listColumns,
    order: oldestFirst,
    window,
  });
}

export interface DeploymentFilter extends ListFilter {
  channel?: string | undefined;
  enabled?: boolean | undefined;
  failing?: boolean | undefined;
}

/** The deployments of agents that are not deleted, the newest first. */
export async function listOfWorkspace(
  db: Db,
  workspace_id: string,
  { channel, enabled, failing, ...filter }: DeploymentFilter,
  window: PageWindow,
) {
  const where = sql`workspace_id = ${workspace_id} and exists (select from agents a
      where a.workspace_id = deployments.workspace_id and a.id = deployments.agent_id and a.deleted_at is null)
    ${channel === undefined ? nothing : sql`and channel = ${channel}`}
    ${enabled === undefined ? nothing : sql`and enabled = ${enabled}`}
    ${failing === undefined ? nothing : sql`and (last_error is not null) = ${failing}`} ${listConditions(listColumns, filter)}`;
  return readPage<DeploymentRow>(db, { columns, from: sql`deployments`, where, list: listColumns, window });
}

export const listAllDeployments = (db: Db, workspace_id: string) =>
  db.rows<DeploymentRow>(sql`select ${columns} from deployments where workspace_id = ${workspace_id} order by id`);

export const updateDeployment = async (
  db: Db,
  workspace_id: string,
  row: Pick<DeploymentRow, 'id' | 'name' | 'enabled' | 'custom_instructions' | 'config' | 'secrets' | 'permissions'>,
) =>
  await db.one<DeploymentRow>(sql`
    update deployments set name = ${row.name}, enabled = ${row.enabled},
      custom_instructions = ${row.custom_instructions}, config = ${JSON.stringify(row.config)},
      secrets = ${row.secrets}, permissions = ${row.permissions}, last_error = null, last_error_at = null, last_updated_at = now(), ${nextEtag()}
    where workspace_id = ${workspace_id} and id = ${row.id}
    returning ${columns}`);

/** From now on it belongs to this owner and acts with no more than these permissions. */
export const setOwner = async (
  tx: Db,
  workspace_id: string,
  { id, owner_id, permissions }: { id: string; owner_id: string | null; permissions: Permission[] },
) =>
  await tx.one<DeploymentRow>(sql`
    update deployments set owner_id = ${owner_id}, permissions = ${permissions}, paused_reason = null,
      last_updated_at = now(), ${nextEtag()}
    where workspace_id = ${workspace_id} and id = ${id}
    returning ${columns}`);

/** Pauses the deployments of a person who is deactivated; they stay paused until they have another owner. */
export const pauseDeploymentsOf = (tx: Db, owner_id: string) =>
  tx.rows<{ id: string; workspace_id: string }>(sql`
    update deployments set paused_reason = 'owner_inactive'
    where owner_id = ${owner_id} and paused_reason is distinct from 'owner_inactive' returning id, workspace_id`);

export const setToken = async (db: Db, workspace_id: string, id: string, hash: Buffer, token: string) =>
  await db.one<DeploymentRow>(sql`
    update deployments set token_hash = ${hash}, token = ${token}, last_updated_at = now(), ${nextEtag()}
    where workspace_id = ${workspace_id} and id = ${id}
    returning ${columns}`);

export const deleteDeployment = (db: Db, workspace_id: string, agent_id: string, id: string) =>
  db.run(sql`
    delete from deployments where workspace_id = ${workspace_id} and agent_id = ${agent_id} and id = ${id}`);

/** One that takes messages: switched on, and its agent is not deleted. */
const live = sql`
  from deployments d
  join agents a on a.workspace_id = d.workspace_id and a.id = d.agent_id and a.deleted_at is null
  join agent_versions v on v.workspace_id = a.workspace_id and v.id = a.published_version_id
  join workspaces w on w.id = d.workspace_id
  where d.enabled`;
const liveColumns = sql`d.id, d.workspace_id as group_id, d.agent_id, d.channel, d.name, d.enabled,
  d.custom_instructions, d.config, d.secrets, d.permissions, w.tenant_id, a.name as agent_name, v.definition,
  ${ownedColumns(sql`d`)}`;

export type LiveRow = Pick<
  DeploymentRow,
  | ('id' | 'group_id' | 'agent_id' | 'channel' | 'name' | 'custom_instructions' | 'config' | 'secrets' | 'permissions')
  | keyof Owned
> & { tenant_id: string; agent_name: string; definition: string };

export const findLive = (db: Db, id: string) => db.row<LiveRow>(sql`select ${liveColumns} ${live} and d.id = ${id}`);

export const findLiveByToken = (db: Db, hash: Buffer) =>
  db.row<LiveRow>(sql`select ${liveColumns} ${live} and d.token_hash = ${hash}`);

export const noteMessage = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`update deployments set last_message_at = now() where workspace_id = ${workspace_id} and id = ${id}`);

/** Null: it works again. */
export const noteError = (db: Db, workspace_id: string, id: string, message: string | null) =>
  db.run(sql`
    update deployments set last_error = ${message}, last_error_at = case when ${message}::text is not null then now() end
    where workspace_id = ${workspace_id} and id = ${id} and (last_error is not null or ${message}::text is not null)`);

export const deploymentsOf = (db: Db, workspace_id: string, agent_id: string, limit: number) =>
  db.rows<{ id: string; name: string }>(sql`
    select id, name from deployments where workspace_id = ${workspace_id} and agent_id = ${agent_id}
    order by id limit ${limit}`);
