import { conflict, notFound } from '@atrium/contract/errors.ts';
import type {
  CaseResult,
  EvaluationCreate,
  EvaluationPatch,
  EvaluationReport,
  EvaluationRun,
  EvaluationRunItem,
} from '@atrium/contract/evaluations/schema.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Database, Db } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { omit } from '../../lib/omit.ts';
import { required } from '../../lib/required.ts';
import { personFields, type Scope } from '../../lib/scope.ts';
import type { AgentSettings } from '../agents/ports.ts';
import { requirePermissions } from '../settings/service.ts';
import type { CaseFromConversation } from './case-from-conversation.ts';
import { compareResults, summaryOf } from './score-case.ts';
import * as store from './store.ts';

export interface Evaluations {
  find(scope: Scope, id: string): Promise<store.EvaluationRow>;
  findRun(scope: Scope, evaluation_id: string, id: string): Promise<EvaluationRun>;
  create(scope: Scope, create: EvaluationCreate): Promise<store.EvaluationRow>;
  update(scope: Scope, id: string, patch: EvaluationPatch): Promise<store.EvaluationRow>;
  remove(scope: Scope, id: string): Promise<void>;
  list(
    scope: Scope,
    query: PageQuery & ListFilter & { agent_id?: string | undefined },
  ): Promise<Paged<store.EvaluationRow>>;
  /** Starts a run of the given version, or of the published one. */
  start(scope: Scope, id: string, version_id: string | undefined): Promise<EvaluationRun>;
  runs(scope: Scope, id: string, query: PageQuery & ListFilter): Promise<Paged<EvaluationRunItem>>;
  /** Compares two runs of the evaluation. */
  report(scope: Scope, id: string, from_id: string, to_id: string): Promise<EvaluationReport>;
}

const presentRun = (row: store.RunRow, results: CaseResult[]): EvaluationRun => ({
  ...omit(row, ['cases', 'tenant_id', 'agent_id', 'actor', 'permissions']),
  summary: summaryOf(row.cases.length, results),
  results,
});

export function makeEvaluations(deps: {
  db: Database;
  agentSettings: AgentSettings;
  fromConversation: CaseFromConversation;
  /** Enqueues the run in the caller's transaction. */
  queue(tx: Db, workspace_id: string, run_id: string): Promise<void>;
}): Evaluations {
  const { db, agentSettings, fromConversation, queue } = deps;

  async function find(scope: Scope, id: string): Promise<store.EvaluationRow> {
    const row = await store.findEvaluation(db, scope.workspace_id, id);
    if (!row) throw notFound('evaluation');
    return row;
  }

  async function findRun(scope: Scope, evaluation_id: string, id: string): Promise<EvaluationRun> {
    const row = await store.findRun(db, scope.workspace_id, id);
    if (row?.evaluation_id !== evaluation_id) throw notFound('evaluation run');
    return presentRun(row, await store.resultsOf(db, scope.workspace_id, id));
  }

  return {
    find,
    findRun,

    async create(scope: Scope, { name, agent_id, cases = [], conversation_ids = [] }: EvaluationCreate) {
      const { assistant_id } = await agentSettings.forConversation(scope, agent_id, { preview: false });
      const made = await Promise.all(conversation_ids.map((id) => fromConversation(scope, id)));
      const row = {
        id: newId(),
        agent_id: assistant_id as string,
        name,
        cases: [...cases, ...made.flatMap((one) => one ?? [])],
      };
      return db.write(scope, (tx) => store.insertEvaluation(tx, scope.workspace_id, row));
    },

    async update(scope: Scope, id: string, patch: EvaluationPatch) {
      const before = await find(scope, id);
      const [name, cases] = [patch.name ?? before.name, patch.cases ?? before.cases];
      return db.write(scope, async (tx) => {
        const row = await store.updateEvaluation(tx, scope.workspace_id, id, name, cases);
        if (!row) throw notFound('evaluation');
        return row;
      });
    },

    async remove(scope: Scope, id: string): Promise<void> {
      await db.write(scope, async (tx) => {
        if (!(await store.deleteEvaluation(tx, scope.workspace_id, id))) throw notFound('evaluation');
      });
    },

    async list(
      scope: Scope,
      query: PageQuery & ListFilter & { agent_id?: string | undefined },
    ): Promise<Paged<store.EvaluationRow>> {
      if (query.agent_id !== undefined) await agentSettings.forConversation(scope, query.agent_id, { preview: false });
      const window = pageOf(query);
      const { rows, total } = await store.listEvaluations(db, scope.workspace_id, query, window);
      return pageAnswer(rows, total, window);
    },

    async start(scope: Scope, id: string, version_id: string | undefined): Promise<EvaluationRun> {
      const row = await find(scope, id);
      if (row.cases.length === 0) throw conflict('There are no cases in this evaluation', 'no_cases');
      const wanted = { preview: false, assistant_version_id: version_id };
      const base = await agentSettings.forConversation(scope, row.agent_id, wanted);
      if (!base.is_published)
        requirePermissions(new Map([['version_id', allows(scope.permissions, 'agents_edit') ? [] : ['agents_edit']]]));
      const { actor, permissions } = scope;
      const asked = { actor, permissions, ...personFields(scope) };
      const run = { id: newId(), version_id: base.assistant_version_id as string, ...asked };
      return db.transaction(scope, async (tx) => {
        await store.insertRun(tx, row, run);
        await queue(tx, scope.workspace_id, run.id);
        const made = required(await store.findRun(tx, scope.workspace_id, run.id));
        return presentRun(made, []);
      });
    },

    async runs(scope: Scope, id: string, query: PageQuery & ListFilter): Promise<Paged<EvaluationRunItem>> {
      await find(scope, id);
      const window = pageOf(query);
      const { rows, total } = await store.listRuns(db, scope.workspace_id, id, query, window);
      return pageAnswer(rows, total, window);
    },

    async report(scope: Scope, id: string, from_id: string, to_id: string): Promise<EvaluationReport> {
      await find(scope, id);
      const [from, to] = [await findRun(scope, id, from_id), await findRun(scope, id, to_id)];
      const cases = compareResults(from.results, to.results);
      const side = ({ id: run_id, version_id, summary }: EvaluationRun) => ({ run_id, version_id, summary });
      const count = (change: string) => cases.filter((one) => one.change === change).length;
      return {
        ...{ from: side(from), to: side(to), cases },
        ...{ better: count('better'), worse: count('worse'), same: count('same') },
      };
    },
  };
}
