import { isDeepStrictEqual } from 'node:util';
import { AppError, forbidden, invalid, notFound } from '@atrium/contract/errors.ts';
import type { PublishGateAnswer, PublishGateBody } from '@atrium/contract/evaluations/gate-schema.ts';
import type { StoredResult } from '@atrium/contract/evaluations/schema.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Database, Db } from '../../../db/database.ts';
import { required } from '../../../lib/required.ts';
import { lacksPermission, type Scope } from '../../../lib/scope.ts';
import { withActor } from '../../actors/service.ts';
import type { AgentSettings, PublishCandidate, PublishGate } from '../../agents/ports.ts';
import { summaryOf } from '../score-case.ts';
import { digestSettings } from '../settings-digest.ts';
import { type FindCaseAccess, hideResult } from '../sources/hide-cases.ts';
import type { StartRun } from '../start-run.ts';
import * as store from '../store.ts';
import * as gates from './gate-store.ts';

/** The gates before publishing: which evaluation an agent must pass. */
export interface PublishGates extends PublishGate {
  get(scope: Scope, agent_id: string): Promise<PublishGateAnswer>;
  set(scope: Scope, agent_id: string, body: PublishGateBody): Promise<PublishGateAnswer>;
  remove(scope: Scope, agent_id: string): Promise<void>;
}

const overriding = 'workspace_admin';
const mostFailedCases = 100;

const conflict = (message: string, code: string, details: Record<string, unknown>) =>
  new AppError('conflict', message, { code, details });

/** There is no run that tells whether the settings pass. */
class RunMissing extends Error {
  readonly gate: gates.GateRow;
  readonly candidate: PublishCandidate;
  constructor(gate: gates.GateRow, candidate: PublishCandidate) {
    super('No run of the evaluation has tried these settings');
    this.gate = gate;
    this.candidate = candidate;
  }
}

const stillRunning = ({ evaluation_id, threshold }: gates.GateRow, evaluation_run_id: string | null) =>
  conflict(
    evaluation_run_id === null
      ? 'These settings must pass the evaluation of the agent first: start a run of it'
      : 'These settings must pass the evaluation of the agent first: publish again when its run is completed',
    evaluation_run_id === null ? 'evaluation_needed' : 'evaluation_running',
    { evaluation_id, evaluation_run_id, threshold },
  );

/** Cases are read by callers that may read evaluations; others get the figures alone. */
async function failedCases(
  accessTo: FindCaseAccess,
  scope: Scope,
  { cases }: store.RunRow,
  results: readonly StoredResult[],
) {
  if (!allows(scope.permissions, 'insights_read')) return [];
  const failed = results.filter(({ passed }) => !passed).slice(0, mostFailedCases);
  const access = await accessTo(scope, cases);
  return failed.map((result) => {
    const tried = required(cases[result.position]);
    const whole = { ...result, case_id: tried.id, hidden: null, marks: [] };
    const { case_id, position, name, hidden, answer, scores, reason, error } = hideResult(
      whole,
      access.reasonToHide(tried),
    );
    return { case_id, position, name, hidden, answer, scores, reason, error };
  });
}

export function makePublishGates(deps: {
  db: Database;
  agentSettings: Pick<AgentSettings, 'forConversation'>;
  startRun: StartRun;
  accessTo: FindCaseAccess;
}): PublishGates {
  const { db, agentSettings, startRun, accessTo } = deps;

  /** The newest run of just these settings and the cases as they are now. */
  async function findFittingRun(on: Db, scope: Scope, { evaluation_id }: gates.GateRow, candidate: PublishCandidate) {
    const digest = digestSettings(candidate.settings);
    const evaluation = await store.findEvaluation(on, scope.workspace_id, evaluation_id);
    const run = await store.findRunOfSettings(on, scope.workspace_id, evaluation_id, digest);
    const fits = run && run.status !== 'failed' && isDeepStrictEqual(run.cases, evaluation?.cases);
    return fits ? run : undefined;
  }

  async function requireGoodRun(tx: Db, scope: Scope, gate: gates.GateRow, candidate: PublishCandidate) {
    const run = await findFittingRun(tx, scope, gate, candidate);
    if (!run) throw new RunMissing(gate, candidate);
    if (run.status !== 'completed') throw stillRunning(gate, run.id);
    const results = await store.resultsOf(tx, scope.workspace_id, run.id);
    const passed = results.filter((result) => result.passed).length;
    if (passed / run.cases.length >= gate.threshold) return;
    const summary = summaryOf(
      run.cases.length,
      results.map((result) => ({ ...result, case_id: '', hidden: null, marks: [] })),
    );
    const { evaluation_id, threshold } = gate;
    throw conflict(
      `${passed} of ${run.cases.length} cases of the evaluation have passed, which is too few to publish`,
      'evaluation_failed',
      {
        ...{ evaluation_id, evaluation_run_id: run.id, threshold, pass_rate: passed / run.cases.length },
        ...{ summary, failed_cases: await failedCases(accessTo, scope, run, results) },
      },
    );
  }

  const isRefusal = (error: unknown) =>
    error instanceof RunMissing ||
    (error instanceof AppError && /^evaluation_(?:failed|running|needed)$/.test(error.code));

  async function present(scope: Scope, agent_id: string, row: gates.GateRow | undefined): Promise<PublishGateAnswer> {
    return { agent_id, gate: row ? await withActor(db, scope, row, 'set_by') : null };
  }
  const requireAgent = (scope: Scope, agent_id: string) =>
    agentSettings.forConversation(scope, agent_id, { preview: false });

  return {
    async requirePassed(tx, scope, candidate, override_reason) {
      const gate = await gates.findGate(tx, scope.workspace_id, candidate.agent_id);
      if (!gate || isDeepStrictEqual(candidate.settings, candidate.published)) return undefined;
      try {
        await requireGoodRun(tx, scope, gate, candidate);
        return undefined;
      } catch (error) {
        if (override_reason === undefined || !isRefusal(error)) throw error;
        if (!allows(scope.permissions, overriding)) throw forbidden(lacksPermission(scope, overriding));
        return override_reason;
      }
    },

    async guard(scope, work) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof RunMissing)) throw error;
        const { gate, candidate } = error;
        if (!allows(scope.permissions, 'agents_run')) throw stillRunning(gate, null);
        const { settings, restricted } = candidate;
        // The refused request changes nothing, so the run is started in a transaction that has no audit row.
        const run_id = await db.transaction(undefined, async (tx) => {
          const evaluation = await store.lockEvaluation(tx, scope.workspace_id, gate.evaluation_id);
          if (!evaluation) throw notFound('evaluation');
          const known = await findFittingRun(tx, scope, gate, candidate);
          if (known) return known.id;
          const tried = { version_id: null, definition: JSON.stringify(settings), restricted_settings: restricted };
          return startRun(tx, scope, evaluation, { ...tried, settings_digest: digestSettings(settings) });
        });
        throw stillRunning(gate, run_id);
      }
    },

    async get(scope, agent_id) {
      await requireAgent(scope, agent_id);
      return present(scope, agent_id, await gates.findGate(db, scope.workspace_id, agent_id));
    },

    async set(scope, agent_id, { evaluation_id, threshold }) {
      await requireAgent(scope, agent_id);
      const evaluation = await store.findEvaluation(db, scope.workspace_id, evaluation_id);
      if (!evaluation) throw notFound('evaluation');
      if (evaluation.agent_id !== agent_id)
        throw invalid(['body', 'evaluation_id'], 'it is the evaluation of another agent', evaluation_id);
      const set_by = scope.actor.id;
      return db.transaction(scope, async (tx) => {
        const before = await gates.findGate(tx, scope.workspace_id, agent_id);
        const row = await gates.putGate(tx, scope.workspace_id, agent_id, { evaluation_id, threshold, set_by });
        scope.audit?.note({ before: before ?? null, after: row });
        return present(scope, agent_id, row);
      });
    },

    async remove(scope, agent_id) {
      await requireAgent(scope, agent_id);
      await db.transaction(scope, async (tx) => {
        const before = await gates.findGate(tx, scope.workspace_id, agent_id);
        await gates.deleteGate(tx, scope.workspace_id, agent_id);
        scope.audit?.note({ before: before ?? null, after: null });
      });
    },
  };
}
