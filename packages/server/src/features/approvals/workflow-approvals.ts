import { conflict, forbidden, notFound } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Approval } from '@atrium/contract/workflows/schema.ts';
import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { type Actor, namesOf, type Scope } from '../../lib/scope.ts';
import type { StartRun, StepApprovals, WaitingWorkflowRuns } from './ports.ts';
import * as store from './workflow-approval-store.ts';

export const approvalTopic = 'workflow-approval';

export interface RunApprovalsDeps {
  db: Database;
  notifier: Notifier;
  runs: WaitingWorkflowRuns;
}

const shown = ({ path: _, details, ...row }: store.ApprovalRow): Approval => ({ ...row, details: JSON.parse(details) });

/** The approvals of workflow steps, for the engine. */
export const makeStepApprovals = ({ db }: { db: Database }): StepApprovals => ({
  insertOnce: (workspace_id, approval) => store.insertApprovalOnce(db, workspace_id, approval),
  find: (workspace_id, run_id, id) => store.findApproval(db, workspace_id, run_id, id),
  isAnyDecided: store.isAnyDecided,
});

export type WorkflowApprovals = ReturnType<typeof makeWorkflowApprovals>;

/** What steps of workflows ask people. */
export function makeWorkflowApprovals({ db, notifier, runs }: RunApprovalsDeps) {
  /** Whoever may see a run may decide what it asks, unless the step asks for more. */
  function requireRight(
    scope: Scope,
    run: { principal: { actor: Actor } },
    { needs, four_eyes }: store.ApprovalRow,
  ): void {
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
      let startRun: StartRun | undefined;
      // All or nothing: a decision that nobody goes on with could never be made again. The run is held first, so that one
      // that is just being put away finds the decision when it is.
      const answer = await db.transaction(scope, async (tx) => {
        const run = await runs.lock(tx, scope.workspace_id, run_id);
        if (!run) throw notFound('run');
        const asked = await store.findApproval(tx, scope.workspace_id, run_id, id);
        if (!asked) throw notFound('approval');
        requireRight(scope, run, asked);
        if (run.finished_at !== null) throw conflict('The run is over', 'run_over');
        const by = scope.actor.name || scope.actor.id;
        const decided = await store.decide(tx, scope.workspace_id, id, { decision, note, by });
        if (!decided) throw conflict('This was decided already, or its time is up', 'already_decided');
        startRun = await runs.wake(tx, scope.workspace_id, run_id);
        return shown(decided);
      });
      if (startRun) startRun();
      // A node may be executing other steps of the run.
      else {
        notifier.notifyLocal(approvalTopic, run_id);
        await notifier.notify(db, approvalTopic, run_id);
      }
      return answer;
    },
  };
}
