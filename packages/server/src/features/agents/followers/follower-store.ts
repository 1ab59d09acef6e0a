import type { FollowedAgent, Follower } from '@atrium/contract/agents/follower-schema.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

export const insertFollower = (db: Db, workspace_id: string, agent_id: string, person_id: string) =>
  db.run(sql`
    insert into agent_followers (workspace_id, agent_id, person_id) values (${workspace_id}, ${agent_id}, ${person_id})
    on conflict do nothing`);

export const deleteFollower = (db: Db, workspace_id: string, agent_id: string, person_id: string) =>
  db.run(sql`
    delete from agent_followers
    where workspace_id = ${workspace_id} and agent_id = ${agent_id} and person_id = ${person_id}`);

/** The people who follow an agent, by id; their names are read where names are. */
export const listFollowers = (db: Db, workspace_id: string, agent_id: string) =>
  db.rows<Pick<Follower, 'person_id' | 'since'>>(sql`
    select person_id, created_at as since from agent_followers
    where workspace_id = ${workspace_id} and agent_id = ${agent_id} order by created_at desc, person_id limit 1000`);

export const listFollowed = (db: Db, workspace_id: string, person_id: string) =>
  db.rows<FollowedAgent>(sql`
    select a.id, a.name, a.image_url, f.created_at as since
    from agent_followers f join agents a on a.workspace_id = f.workspace_id and a.id = f.agent_id
    where f.person_id = ${person_id} and f.workspace_id = ${workspace_id} and a.deleted_at is null
    order by f.created_at desc, a.id limit 1000`);
