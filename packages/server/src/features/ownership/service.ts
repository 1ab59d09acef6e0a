import { allows, type Permission } from '@atrium/contract/permissions.ts';
import type { Db } from '../../db/database.ts';
import { noPerson, type Principal, recordOwner } from '../../lib/scope.ts';
import { findRunAccess, type RunReach } from './run-store.ts';

export { type FindHiddenRuns, makeFindHiddenRuns } from './hidden-runs.ts';
export { isListedRun, isReadableRun, type RunReach } from './run-store.ts';
export { readableConversations } from './store.ts';
export { listUsedRights, noteUsedRights, usedOnly } from './used-rights-store.ts';

/** Kinds of records that belong to the person, key or visitor that caused them. */
export type OwnedKind = 'conversation' | 'run' | 'file';

/** The permission that shows the records of everybody. */
const permissionForAll: Readonly<Record<OwnedKind, Permission>> = {
  conversation: 'conversations_read',
  run: 'runs_read_all',
  file: 'files_read_all',
};

export type Caller = Pick<
  Principal,
  'actor' | 'permissions' | 'person_id' | 'record_owner_id' | 'wide_reach' | 'own_conversations' | 'conversations_of'
>;

/** Whether the caller sees the records of everybody. Visitors reach records by their link alone, so they are not limited here. */
export function seesAll(caller: Caller, kind: OwnedKind): boolean {
  const { actor, permissions, wide_reach } = caller;
  if (actor.kind === 'link' || actor.kind === 'channel') return kind === 'conversation';
  if (actor.kind === 'system') return true;
  // Triggers have `conversations_of` where their owner does not see every conversation.
  if (actor.kind === 'trigger' && kind === 'conversation') return true;
  return wide_reach === true || allows(permissions, permissionForAll[kind]);
}

/** The owner whose records alone the caller sees; undefined: those of everybody. */
export function onlyOwner(caller: Caller, kind: OwnedKind): string | undefined {
  const { person_id, own_conversations, conversations_of } = caller;
  if (kind === 'conversation' && conversations_of !== undefined) return conversations_of;
  if (kind === 'conversation' && own_conversations) return person_id ?? noPerson;
  return seesAll(caller, kind) ? undefined : (recordOwner(caller) ?? noPerson);
}

/** Whether the caller may write in, change and delete conversations of others that it sees. */
export function mayEditOthers(caller: Caller): boolean {
  const { actor, permissions, wide_reach } = caller;
  if (actor.kind !== 'person' && actor.kind !== 'api_key') return true;
  return wide_reach === true || allows(permissions, 'conversations_edit');
}

/** Whose workflow runs the caller reads; undefined: those of everybody. */
export function runReach(caller: Caller): RunReach | undefined {
  const owner_id = onlyOwner(caller, 'run');
  if (owner_id === undefined) return undefined;
  return {
    owner_id,
    all_conversations: allows(caller.permissions, 'agents_run') && onlyOwner(caller, 'conversation') === undefined,
    edits_workflows: allows(caller.permissions, 'flows_edit'),
  };
}

/** What a caller sees of a run: all of it, or that it failed, where and why. */
export type RunAccess = 'whole' | 'outline';

/** What the caller sees of a workflow run; undefined: nothing. */
export async function accessToRun(
  db: Db,
  caller: Caller & { workspace_id: string },
  run_id: string,
): Promise<RunAccess | undefined> {
  const reach = runReach(caller);
  if (!reach) return 'whole';
  const found = await findRunAccess(db, caller.workspace_id, run_id, reach);
  return found?.readable ? 'whole' : found?.listed ? 'outline' : undefined;
}
