import { isDeepStrictEqual } from 'node:util';
import type { ActorName } from '@atrium/contract/actor.ts';
import type { AgentLock } from '@atrium/contract/agents/lock-schema.ts';
import { AppError } from '@atrium/contract/errors.ts';
import { lockNames } from '@atrium/contract/settings/locks.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { Db } from '../../../db/database.ts';
import { actorId, type Scope } from '../../../lib/scope.ts';
import { readActors, withActors } from '../../actors/service.ts';
import * as store from './lock-store.ts';

const locksIn = (...layers: (SparseSettings | null)[]) =>
  lockNames.filter((lock) => layers.some((layer) => layer?.[lock] === true)).sort();

/** Records who turned locks on, after a change of the published settings or the draft. Answers the locks that are new. */
export async function recordLocks(
  tx: Db,
  scope: Scope,
  agent: { id: string; locks: readonly store.StoredLock[] },
  after: { published: SparseSettings; draft: SparseSettings | null },
  reason: string | undefined,
): Promise<string[]> {
  const on = locksIn(after.published, after.draft);
  const before: string[] = agent.locks.map(({ lock }) => lock).sort();
  if (isDeepStrictEqual(on, before)) return [];
  await store.putLocks(tx, scope.workspace_id, agent.id, { on, by: actorId(scope), reason: reason ?? null });
  return on.filter((lock) => !before.includes(lock));
}

/** Agents with the names of those who locked them, read with one statement. */
export async function nameLockers<T extends { locks: readonly store.StoredLock[]; draft_by: string | null }>(
  on: Db,
  scope: Scope,
  agents: readonly T[],
): Promise<(T & { locks: AgentLock[]; draft_by_actor: ActorName | null })[]> {
  const actorOf = await readActors(
    on,
    scope,
    agents.flatMap(({ locks, draft_by }) => [draft_by, ...locks.map(({ locked_by }) => locked_by)]),
  );
  const named = (lock: store.StoredLock): AgentLock => ({
    ...lock,
    locked_by_actor: lock.locked_by === null ? null : actorOf(lock.locked_by),
  });
  return agents.map((agent) => ({
    ...agent,
    locks: agent.locks.map(named),
    draft_by_actor: agent.draft_by === null ? null : actorOf(agent.draft_by),
  }));
}

/** Has a refusal of locked settings say who locked them, when and why. */
export async function explainLocks<T>(
  on: Db,
  scope: Scope,
  agent_id: string | null,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'settings_locked') throw error;
    const refused = lockNames.filter((lock) => [error.details.locks].flat().includes(lock));
    const known = agent_id === null ? [] : await store.findLocks(on, scope.workspace_id, agent_id);
    // A lock of a conversation alone has no record.
    const unknown = { locked_by: null, locked_at: null, reason: null };
    const found = refused.map((lock) => known.find((stored) => stored.lock === lock) ?? { lock, ...unknown });
    const locks = await withActors(on, scope, found, 'locked_by');
    throw new AppError(error.kind, error.message, { code: error.code, details: { locks } });
  }
}
