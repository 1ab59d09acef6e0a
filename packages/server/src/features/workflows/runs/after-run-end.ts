import type { Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Workflows } from '../service.ts';
import * as store from './run-store.ts';

export interface AfterRunEndDeps {
  workflows: Pick<Workflows, 'handlerOf'>;
  node_id: string;
  callback(tx: Db, run: store.RunRow): Promise<unknown>;
  notifyWaiting(): Promise<void>;
}

/**
 * Stores what follows from the end of a run in the same transaction: its callback and, after a failure, a run of the
 * error handler. A failed run of an error handler starts no other handler.
 */
export function makeAfterRunEnd({ workflows, node_id, callback, notifyWaiting }: AfterRunEndDeps) {
  async function handle(tx: Db, scope: Scope, run: store.RunRow, { error }: store.RunEnding): Promise<void> {
    const handler = await workflows.handlerOf(tx, scope, run.workflow_id);
    if (!handler) return;
    const input = { error, run_id: run.id, workflow_id: run.workflow_id, input: run.input };
    const made = await store.insertRun(tx, run.group_id, node_id, {
      id: newId(),
      workflow_id: handler,
      workflow_version_id: null,
      draft: false,
      status: 'queued',
      input,
      node_ids: null,
      single_node_id: null,
      pinned_outputs: null,
      tracing: false,
      callback_url: null,
      retry_of: null,
      effects_of: null,
      handles_run: run.id,
      // The handler gets the permissions of the failed run and no more, since its input comes from there.
      principal: { ...run.principal, permissions: [...scope.permissions], tenant_admin: scope.tenant_admin },
    });
    // The handler was deleted since, or cannot run.
    if (!made) return;
    // A lost notification costs a moment: every node looks for waiting runs every few seconds.
    setImmediate(() => void notifyWaiting().catch(() => {}));
  }

  return (scope: Scope, run: store.RunRow, end: store.RunEnding) => {
    const failed = end.status === 'failed' && run.handles_run === null;
    if (!failed && run.callback_url === null) return undefined;
    return async (tx: Db) => {
      if (run.callback_url !== null) await callback(tx, run);
      if (failed) await handle(tx, scope, run, end);
    };
  };
}
