import type { WorkspaceLimits } from '@atrium/contract/workspaces/limits.ts';
import type { Scope } from '../../lib/scope.ts';
import { type Storage, stateOf, textAndRows } from './service.ts';

export type ReadLimits = (scope: Scope, workspace_id: string) => Promise<WorkspaceLimits>;

/** The limits that hold in a workspace, and what it uses of them. */
export function makeReadLimits(deps: {
  storage: Pick<Storage, 'quotaOf' | 'useOf'>;
  /** The id of a workspace that the caller may administer; throws for others. */
  reach(scope: Scope, workspace_id: string): Promise<string>;
  requests_per_minute: number;
  streams_per_caller: number;
}): ReadLimits {
  const { storage, requests_per_minute, streams_per_caller } = deps;
  return async (scope, id) => {
    const workspace_id = await deps.reach(scope, id);
    const [quota, use] = await Promise.all([storage.quotaOf(workspace_id), storage.useOf(workspace_id)]);
    const { file_bytes, message_bytes, log_bytes, row_bytes, added_bytes, measured_at, waived } = use;
    const used_bytes = textAndRows(use) + file_bytes;
    return {
      ...{ requests_per_minute, streams_per_caller },
      storage: {
        ...{ quota_bytes: quota.bytes, quota_source: quota.source, used_bytes },
        ...{ file_bytes, message_bytes, log_bytes, row_bytes, unmeasured_bytes: added_bytes, measured_at },
        state: stateOf(quota, used_bytes, waived),
      },
    };
  };
}
