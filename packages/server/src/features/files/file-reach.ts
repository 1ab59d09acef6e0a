import { allows, type Permission } from '@atrium/contract/permissions.ts';
import { isOutsider, type Scope } from '../../lib/scope.ts';
import { onlyOwner, runReach } from '../ownership/service.ts';
import type { FileReach } from './file-reach-store.ts';

/** The permission that reads the records which share their files. */
const readers: Readonly<Record<string, Permission>> = {
  agent: 'agents_run',
  workflow: 'flows_run',
  knowledge_base: 'kbs_query',
};

/** Whose files the caller reads. A visitor reads those of its conversation, which its link or channel is for. */
export function fileReach(scope: Scope): 'all' | FileReach {
  const owner_id = onlyOwner(scope, 'file');
  if (owner_id === undefined) return 'all';
  const outside = isOutsider(scope);
  const ofLink = scope.actor.kind === 'link' ? [scope.actor.id] : [];
  return {
    owner_id,
    kinds: outside ? [] : Object.keys(readers).filter((kind) => allows(scope.permissions, readers[kind] as Permission)),
    conversations_of: outside ? owner_id : onlyOwner(scope, 'conversation'),
    within: [...ofLink, ...(scope.accounts ?? []).map(({ conversation_id }) => conversation_id)],
    runs: runReach(scope),
  };
}
