import type { ActorName } from '@atrium/contract/actor.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { Rights } from '../../../execution/effective-permissions.ts';
import type { SecretSetting } from '../../tools/ports.ts';

export interface VersionRow {
  id: string;
  agent_id: string;
  group_id: string;
  number: number;
  name: string;
  description: string | null;
  is_published: boolean;
  created_by: string | null;
  created_by_actor?: ActorName | null;
  created_at: string;
  override_reason: string | null;
  override_by: string | null;
  override_by_actor?: ActorName | null;
  override_at: string | null;
  definition: string;
}

const columns = sql`v.id, v.agent_id, v.workspace_id as group_id, v.number, v.name, v.description,
  v.id = a.published_version_id as is_published, v.created_by, v.created_at,
  v.override_reason, v.override_by, v.override_at, v.definition`;
const withAgent = sql`join agents a on a.workspace_id = v.workspace_id and a.id = v.agent_id`;

export const listVersions = (
  db: Db,
  workspace_id: string,
  agent_id: string,
  { size, offset }: { size: number; offset: number },
) =>
  db.rows<VersionRow>(sql`
    select ${columns} from agent_versions v ${withAgent}
    where v.workspace_id = ${workspace_id} and v.agent_id = ${agent_id} order by v.number desc
    limit ${size} offset ${offset}`);

/** A version by its id; given an agent, only one of that agent. */
export const findVersion = (db: Db, workspace_id: string, id: string, agent_id: string | null = null) =>
  db.row<VersionRow>(sql`
    select ${columns} from agent_versions v ${withAgent}
    where v.workspace_id = ${workspace_id} and v.id = ${id} and (${agent_id}::uuid is null or v.agent_id = ${agent_id})`);

/** The next number comes from the agent's own row, which its caller holds: constant time at any number of versions. */
export async function insertVersion(
  db: Db,
  workspace_id: string,
  version: {
    id: string;
    agent_id: string;
    name: string | undefined;
    description: string | undefined;
    definition: string;
    created_by: string;
    rights: Rights;
    restricted_settings: readonly SecretSetting[];
  },
): Promise<void> {
  await db.run(sql`
    with next as (
      update agents set version_count = version_count + 1
      where workspace_id = ${workspace_id} and id = ${version.agent_id} returning version_count as number)
    insert into agent_versions (workspace_id, agent_id, id, number, name, description, definition, created_by, rights,
      restricted_settings)
    select ${workspace_id}, ${version.agent_id}, ${version.id}, number, coalesce(${version.name ?? null}, 'v' || number),
      ${version.description ?? null}, ${version.definition}, ${version.created_by},
      ${version.rights}::text[], ${version.restricted_settings}::text[]
    from next`);
}

/** Keeps with a version that it was published without having passed, by whom and why. */
export const recordOverride = (db: Db, workspace_id: string, id: string, reason: string, by: string) =>
  db.run(sql`
    update agent_versions set override_reason = ${reason}, override_by = ${by}, override_at = now()
    where workspace_id = ${workspace_id} and id = ${id}`);

/** The permissions of the keys that answer for a version. */
export const rightsOf = async (db: Db, workspace_id: string, id: string): Promise<Rights> =>
  (
    await db.row<{ rights: Rights }>(
      sql`select rights from agent_versions where workspace_id = ${workspace_id} and id = ${id}`,
    )
  )?.rights ?? null;

export const answerFor = (
  db: Db,
  workspace_id: string,
  id: string,
  rights: readonly Permission[],
  restricted: readonly SecretSetting[],
) =>
  db.run(sql`
    update agent_versions set rights = ${rights}::text[], restricted_settings = ${restricted}::text[]
    where workspace_id = ${workspace_id} and id = ${id}`);

/** The settings of a version whose saver lacked variables_read. */
export const restrictedOfVersion = async (db: Db, workspace_id: string, id: string): Promise<SecretSetting[]> =>
  (
    await db.row<{ restricted_settings: SecretSetting[] }>(
      sql`select restricted_settings from agent_versions where workspace_id = ${workspace_id} and id = ${id}`,
    )
  )?.restricted_settings ?? [];

/** The same for the published version of an agent and for its draft; without a draft, both are the same. */
export const restrictedOfAgent = async (db: Db, workspace_id: string, agent_id: string) =>
  (await db.row<{ published: SecretSetting[]; draft: SecretSetting[] }>(sql`
    select v.restricted_settings as published,
      case when a.draft_definition is null then v.restricted_settings else a.draft_restricted_settings end as draft
    from agents a join agent_versions v on v.workspace_id = a.workspace_id and v.id = a.published_version_id
    where a.workspace_id = ${workspace_id} and a.id = ${agent_id}`)) ?? { published: [], draft: [] };
