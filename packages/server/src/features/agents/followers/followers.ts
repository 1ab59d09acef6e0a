import type { FollowedAgent, Follower } from '@atrium/contract/agents/follower-schema.ts';
import { conflict } from '@atrium/contract/errors.ts';
import type { Database } from '../../../db/database.ts';
import { personBehind, type Scope } from '../../../lib/scope.ts';
import { readActors } from '../../actors/service.ts';
import type { Agents } from '../service.ts';
import * as store from './follower-store.ts';

/** People who want to hear of an agent. */
export interface Followers {
  follow(scope: Scope, agent_id: string): Promise<{ following: boolean }>;
  unfollow(scope: Scope, agent_id: string): Promise<{ following: boolean }>;
  list(scope: Scope, agent_id: string): Promise<Follower[]>;
  followed(scope: Scope): Promise<FollowedAgent[]>;
}

function requirePerson(scope: Scope): string {
  const person_id = personBehind(scope);
  if (person_id === null) throw conflict('Only people follow agents, and this key belongs to none', 'not_a_person');
  return person_id;
}

export const makeFollowers = ({ db, agents }: { db: Database; agents: Pick<Agents, 'get'> }): Followers => ({
  async follow(scope, agent_id) {
    await agents.get(scope, agent_id);
    await store.insertFollower(db, scope.workspace_id, agent_id, requirePerson(scope));
    return { following: true };
  },

  async unfollow(scope, agent_id) {
    await agents.get(scope, agent_id);
    await store.deleteFollower(db, scope.workspace_id, agent_id, requirePerson(scope));
    return { following: false };
  },

  async list(scope, agent_id) {
    await agents.get(scope, agent_id);
    const rows = await store.listFollowers(db, scope.workspace_id, agent_id);
    const actorOf = await readActors(
      db,
      scope,
      rows.map(({ person_id }) => person_id),
    );
    // A person without a name is not active any more.
    return rows.flatMap((row) => {
      const { name } = actorOf(row.person_id);
      return name === null ? [] : [{ person_id: row.person_id, name, since: row.since }];
    });
  },

  followed: async (scope) => {
    const person_id = personBehind(scope);
    return person_id === null ? [] : store.listFollowed(db, scope.workspace_id, person_id);
  },
});
