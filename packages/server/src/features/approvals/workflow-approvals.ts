import type { WorkflowApproval } from '@atrium/contract/approvals/workflow-schema.ts';
import { conflict, forbidden, notFound } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { omit } from '../../lib/omit.ts';
import { required } from '../../lib/required.ts';
import { lacksPermission, personBehind, type Scope } from '../../lib/scope.ts';
import { withActors } from '../actors/service.ts';
import { accessToRun } from '../ownership/service.ts';
import { findDeciders } from './decider-store.ts';
import { notTheAsker, readStandings, requireDecider } from './deciders.ts';
import type { StartRun, StepApprovals, WaitingWorkflowRuns, WorkflowApprovals } from './ports.ts';
import { askerOf } from './run-requests.ts';
import * as store from './workflow-approval-store.ts';

const approvalTopic = 'workflow-approval';

/** Has this node look at the run again when a step of it that executes here was decided on any node. */
export const onStepDecision = (notifier: Notifier, wakeWaitingSteps: (run_id: string) => Promise<unknown>) =>
  notifier.on(approvalTopic, (run_id) => void wakeWaitingSteps(run_id));

export interface WorkflowApprovalsOptions {
  db: Database;
  notifier: Notifier;
  runs: WaitingWorkflowRuns;
}

async function present(on: Db, scope: Scope, rows: readonly store.ApprovalRow[]): Promise<WorkflowApproval[]> {
  const named = await withActors(on, scope, rows, 'decided_by_id');
  const isOpen = ({ decision, expires_at }: store.ApprovalRow) =>
    decision === null && (expires_at === null || Date.parse(expires_at) > Date.now());
  const standingOf = await readStandings(
    on,
    scope,
    rows.filter(isOpen).map(({ id, needs }) => ({ id, needs: ['flows_run', needs] })),
  );
  return named.map(({ decided_by_id_actor: decided_by_actor, ...row }) => ({
    ...omit(row, ['path', 'decided_by_id', 'node_name', 'approvers', 'approver_groups']),
    ...standingOf(row.id),
    decided_by_actor,
    details: JSON.parse(row.details),
  }));
}

/** The ids of who has decided approvals of a run: their names and notes may be among its values. */
export const makeRunDeciders =
  ({ db }: { db: Database }) =>
  async (workspace_id: string, run_id: string): Promise<string[]> =>
    (await store.listApprovals(db, workspace_id, run_id)).flatMap(({ decided_by_id }) => decided_by_id ?? []);

/** The approvals of workflow steps, for the engine. */
export const makeStepApprovals = ({ db }: { db: Database }): StepApprovals => ({
  insertOnce: (workspace_id, approval) => store.insertApprovalOnce(db, workspace_id, approval),
  find: (workspace_id, run_id, id) => store.findApproval(db, workspace_id, run_id, id),
  isAnyDecided: store.isAnyDecided,
});

/** Lists and decides the approvals that steps of workflow runs wait for. */
export function makeWorkflowApprovals({ db, notifier, runs }: WorkflowApprovalsOptions): WorkflowApprovals {
  /** Checks the permission that the step names, with four_eyes that the caller did not start the run, and who is named. */
  async function requireDeciderOf(tx: Db, scope: Scope, { id, needs }: store.ApprovalRow): Promise<void> {
    if (!allows(scope.permissions, needs))
      throw forbidden(`${lacksPermission(scope, needs)}, which this approval asks for`);
    await requireDecider(tx, scope, id, 'Somebody other than the one who started the run has to decide');
  }

  /** Those of these approvals that the caller may decide, or has decided, though they may not read the run. */
  async function onlyDecidable(scope: Scope, rows: readonly store.ApprovalRow[]): Promise<store.ApprovalRow[]> {
    const person_id = personBehind(scope);
    const ids = rows.map(({ id }) => id);
    const deciders = await findDeciders(db, scope.workspace_id, ids, { person_id, names: [] }, 0);
    const named = new Map(deciders.map((row) => [row.request_id, row]));
    return rows.filter(({ id, needs, decided_by_id }) => {
      const row = named.get(id);
      if (!row?.is_named) return allows(scope.permissions, needs);
      return row.includes || (person_id !== null && decided_by_id === person_id);
    });
  }

  return {
    async list(scope, run_id) {
      const isReader = (await accessToRun(db, scope, run_id)) === 'whole';
      await runs.find(scope, run_id);
      const all = await store.listApprovals(db, scope.workspace_id, run_id);
      const shown = isReader ? all : await onlyDecidable(scope, all);
      if (!isReader && shown.length === 0) throw notFound('run');
      return present(db, scope, shown);
    },

    async decide(scope, run_id, id, given) {
      const decision = given.decision === 'withdraw' ? 'reject' : given.decision;
      const note = given.note ?? (given.decision === 'withdraw' ? 'Withdrawn by the caller who asked' : null);
      let startRun: StartRun | undefined;
      // One transaction: a decision without a resumed run could not be repeated. The run is locked first, so that a run
      // that is being suspended finds the decision afterwards.
      const answer = await db.transaction(scope, async (tx) => {
        const run = await runs.lock(tx, scope.workspace_id, run_id);
        if (!run) throw notFound('run');
        const approval = await store.findApproval(tx, scope.workspace_id, run_id, id);
        if (!approval) throw notFound('approval');
        const isTakenBack = given.decision === 'withdraw';
        if (!isTakenBack) await requireDeciderOf(tx, scope, approval);
        else if (askerOf(run.principal) !== askerOf(scope)) throw notTheAsker();
        if (run.finished_at !== null) throw conflict('The run is over', 'run_over');
        const decided = await store.decideApproval(tx, scope.workspace_id, id, {
          ...{ decision, note, by: scope.actor },
          withdrawn: isTakenBack,
        });
        if (!decided) throw conflict('This was decided already, or its time is up', 'already_decided');
        startRun = await runs.resume(tx, scope.workspace_id, run_id);
        return required((await present(tx, scope, [decided]))[0]);
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
