import { conflict, forbidden, notFound } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Approval } from '@atrium/contract/workflows/schema.ts';
import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { Executor } from '../../execution/executor.ts';
import { namesOf, type Scope } from '../../lib/scope.ts';
import { lockWorkflowRun, type RunRow, wakeRun } from '../workflows/runs/run-store.ts';
import type { WorkflowRuns } from '../workflows/runs/workflow-runs.ts';
import * as store from './workflow-approval-store.ts';

export const approvalTopic = 'workflow-approval';

export interface RunApprovalsDeps {
  db: Database;
  notifier: Notifier;
  executor: Executor<RunRow, undefined>;
  runs: Pick<WorkflowRuns, 'find'>;
}

const shown = ({ path: _, details, ...row }: store.ApprovalRow): Approval => ({ ...row, details: JSON.parse(details) });

export type WorkflowApprovals = ReturnType<typeof makeWorkflowApprovals>;

/** What steps of workflows ask people. */
export function makeWorkflowApprovals({ db, notifier, executor, runs }: RunApprovalsDeps) {
  /** Whoever may see a run may decide what it asks, unless the step asks for more. */
  function requireRight(scope: Scope, run: RunRow, { needs, four_eyes }: store.ApprovalRow): void {
    if (!allows(scope.permissions, needs))
      throw forbidden(`This key lacks the permission ${needs}, which this approval asks for`);
    const started = new Set(namesOf(run.principal.actor));
    if (four_eyes && namesOf(scope.actor).some((name) => started.has(name)))
      throw forbidden('Somebody other than the one who started the run has to decide', 'four_eyes');
  }

  return {
    async list(scope: Scope, run_id: string): Promise<Approval[]> {
      await runs.find(scope, run_id);
      return (await store.listApprovals(db, scope.workspace_id, run_id)).map(shown);
    },

    /** Answers what a step asks; the run goes on from there. */
    async decide(
      scope: Scope,
      run_id: string,
      id: string,
      { decision, note = null }: { decision: 'approve' | 'reject'; note?: string | null | undefined },
    ): Promise<Approval> {
      let woken: RunRow | undefined;
      // All or nothing: a decision that nobody goes on with could never be made again. The run is held first, so that one
      // that is just being put away finds the decision when it is.
      const answer = await db.transaction(scope, async (tx) => {
        const run = await lockWorkflowRun(tx, scope.workspace_id, run_id);
        if (!run) throw notFound('run');
        const asked = await store.findApproval(tx, scope.workspace_id, run_id, id);
        if (!asked) throw notFound('approval');
        requireRight(scope, run, asked);
        if (run.finished_at !== null) throw conflict('The run is over', 'run_over');
        const by = scope.actor.name || scope.actor.id;
        const decided = await store.decide(tx, scope.workspace_id, id, { decision, note, by });
        if (!decided) throw conflict('This was decided already, or its time is up', 'already_decided');
        woken = await wakeRun(tx, scope.workspace_id, run_id, executor.node_id);
        return shown(decided);
      });
      if (woken) executor.start(woken, executor.beyond(scope.workspace_id));
      // It may be carried somewhere, with other steps under way.
      else {
        notifier.notifyLocal(approvalTopic, run_id);
        await notifier.notify(db, approvalTopic, run_id);
      }
      return answer;
    },
  };
}
