import { conflict, invalid, notFound } from '@atrium/contract/errors.ts';
import type { EvaluationMark } from '@atrium/contract/evaluations/mark-schema.ts';
import type {
  AnswerCase,
  CaseResult,
  EvaluationCreate,
  EvaluationPatch,
  EvaluationReport,
  EvaluationRun,
  EvaluationRunCreate,
  EvaluationRunItem,
  StoredResult,
} from '@atrium/contract/evaluations/schema.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Database } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { omit } from '../../lib/omit.ts';
import { required } from '../../lib/required.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AgentSettings } from '../agents/ports.ts';
import { requirePermissions } from '../settings/service.ts';
import type { CaseFromConversation } from './case-from-conversation.ts';
import { isGate } from './gate/gate-store.ts';
import type { EvaluationMarks } from './marks.ts';
import { compareResults, summaryOf } from './score-case.ts';
import { digestSettings } from './settings-digest.ts';
import { type CaseAccess, type FindCaseAccess, hideResult, presentCase } from './sources/hide-cases.ts';
import { mergeCases, newCases } from './sources/merge-cases.ts';
import type { StartRun } from './start-run.ts';
import * as store from './store.ts';

/** An evaluation as the caller reads it. */
type ShownEvaluation = Omit<store.EvaluationRow, 'cases'> & { cases: AnswerCase[] };

export interface Evaluations {
  get(scope: Scope, id: string): Promise<ShownEvaluation>;
  findRun(scope: Scope, evaluation_id: string, id: string): Promise<EvaluationRun>;
  create(scope: Scope, create: EvaluationCreate): Promise<ShownEvaluation>;
  update(scope: Scope, id: string, patch: EvaluationPatch): Promise<ShownEvaluation>;
  remove(scope: Scope, id: string): Promise<void>;
  list(
    scope: Scope,
    query: PageQuery & ListFilter & { agent_id?: string | undefined },
  ): Promise<Paged<ShownEvaluation>>;
  /** Starts a run of the given version, of the draft, or of the published version. */
  start(scope: Scope, id: string, create: EvaluationRunCreate): Promise<EvaluationRun>;
  runs(scope: Scope, id: string, query: PageQuery & ListFilter): Promise<Paged<EvaluationRunItem>>;
  /** Compares two runs of the evaluation. */
  report(scope: Scope, id: string, from_id: string, to_id: string): Promise<EvaluationReport>;
}

const presentRun = (row: store.RunRow, results: CaseResult[]): EvaluationRun => ({
  ...omit(row, [
    ...(['cases', 'tenant_id', 'agent_id', 'actor', 'permissions', 'definition', 'restricted_settings'] as const),
  ]),
  summary: summaryOf(row.cases.filter(({ gone }) => !gone).length, results),
  results,
});

/** Adds what is stored beside a result: the id of its case, and the marks of people. Hides what the caller may not read. */
const presentResults = (
  { cases }: store.RunRow,
  results: readonly StoredResult[],
  marks: ReadonlyMap<number, EvaluationMark[]>,
  access: CaseAccess,
): CaseResult[] =>
  results.map((result) => {
    const tried = required(cases[result.position]);
    const whole = { ...result, case_id: tried.id, hidden: null, marks: marks.get(result.position) ?? [] };
    return hideResult(whole, access.reasonToHide(tried));
  });

const present = (row: store.EvaluationRow, access: CaseAccess): ShownEvaluation => ({
  ...row,
  cases: row.cases.map((one) => presentCase(one, access)),
});

export function makeEvaluations(deps: {
  db: Database;
  agentSettings: AgentSettings;
  fromConversation: CaseFromConversation;
  marks: Pick<EvaluationMarks, 'ofRun'>;
  startRun: StartRun;
  accessTo: FindCaseAccess;
}): Evaluations {
  const { db, agentSettings, fromConversation, marks, startRun, accessTo } = deps;

  async function find(scope: Scope, id: string): Promise<store.EvaluationRow> {
    const row = await store.findEvaluation(db, scope.workspace_id, id);
    if (!row) throw notFound('evaluation');
    return row;
  }

  async function readRun(scope: Scope, evaluation_id: string, id: string) {
    const row = await store.findRun(db, scope.workspace_id, id);
    if (row?.evaluation_id !== evaluation_id) throw notFound('evaluation run');
    const results = await store.resultsOf(db, scope.workspace_id, id);
    const access = await accessTo(scope, row.cases);
    return { row, run: presentRun(row, presentResults(row, results, await marks.ofRun(scope, id), access)) };
  }

  return {
    async get(scope, id) {
      const row = await find(scope, id);
      return present(row, await accessTo(scope, row.cases));
    },

    findRun: async (scope, evaluation_id, id) => (await readRun(scope, evaluation_id, id)).run,

    async create(scope: Scope, { name, agent_id, cases = [], conversation_ids = [] }: EvaluationCreate) {
      const { assistant_id } = await agentSettings.forConversation(scope, agent_id, { preview: false });
      const made = await Promise.all(conversation_ids.map((id) => fromConversation(scope, id)));
      const row = {
        id: newId(),
        agent_id: assistant_id as string,
        name,
        cases: [...newCases(cases), ...made.flatMap((one) => one ?? [])],
      };
      const access = await accessTo(scope, row.cases);
      return db.transaction(scope, async (tx) =>
        present(await store.insertEvaluation(tx, scope.workspace_id, row), access),
      );
    },

    async update(scope: Scope, id: string, patch: EvaluationPatch) {
      const access = await accessTo(scope, (await find(scope, id)).cases);
      return db.transaction(scope, async (tx) => {
        const before = await store.lockEvaluation(tx, scope.workspace_id, id);
        if (!before) throw notFound('evaluation');
        const cases = patch.cases ? mergeCases(patch.cases, before.cases, access) : before.cases;
        const { name = before.name } = patch;
        return present(required(await store.updateEvaluation(tx, scope.workspace_id, id, name, cases)), access);
      });
    },

    async remove(scope: Scope, id: string): Promise<void> {
      await db.write(scope, async (tx) => {
        if (await isGate(tx, scope.workspace_id, id))
          throw conflict('An agent must pass this evaluation before it is published', 'evaluation_in_use');
        if (!(await store.deleteEvaluation(tx, scope.workspace_id, id))) throw notFound('evaluation');
      });
    },

    async list(
      scope: Scope,
      query: PageQuery & ListFilter & { agent_id?: string | undefined },
    ): Promise<Paged<ShownEvaluation>> {
      if (query.agent_id !== undefined) await agentSettings.forConversation(scope, query.agent_id, { preview: false });
      const window = pageOf(query);
      const { rows, total, last, facets } = await store.listEvaluations(db, scope.workspace_id, query, window);
      const access = await accessTo(
        scope,
        rows.flatMap(({ cases }) => cases),
      );
      const items = rows.map((row) => present(row, access));
      return { ...pageAnswer(items, total, window, last), ...(facets && { facets }) };
    },

    async start(scope: Scope, id: string, { version_id, draft }: EvaluationRunCreate): Promise<EvaluationRun> {
      if (draft && version_id !== undefined)
        throw invalid(['body', 'draft'], 'give a version or try the draft, not both', draft);
      const row = await find(scope, id);
      const wanted = { preview: draft, assistant_version_id: version_id };
      const base = await agentSettings.forConversation(scope, row.agent_id, wanted);
      if (draft || !base.is_published)
        requirePermissions(
          new Map([[draft ? 'draft' : 'version_id', allows(scope.permissions, 'agents_edit') ? [] : ['agents_edit']]]),
        );
      const settings = base.settings ?? {};
      const tried: store.TriedSettings = {
        ...{ version_id: base.assistant_version_id, settings_digest: digestSettings(settings) },
        ...(draft
          ? {
              definition: JSON.stringify(settings),
              restricted_settings: await agentSettings.restricted(scope, { agent_id: row.agent_id, preview: true }),
            }
          : { definition: null, restricted_settings: [] }),
      };
      return db.transaction(scope, async (tx) => {
        const run_id = await startRun(tx, scope, row, tried);
        return presentRun(required(await store.findRun(tx, scope.workspace_id, run_id)), []);
      });
    },

    async runs(scope: Scope, id: string, query: PageQuery & ListFilter): Promise<Paged<EvaluationRunItem>> {
      await find(scope, id);
      const window = pageOf(query);
      const { rows, total, last } = await store.listRuns(db, scope.workspace_id, id, query, window);
      return pageAnswer(rows, total, window, last);
    },

    async report(scope: Scope, id: string, from_id: string, to_id: string): Promise<EvaluationReport> {
      await find(scope, id);
      const [{ run: from, row: before }, { run: to, row: after }] = [
        await readRun(scope, id, from_id),
        await readRun(scope, id, to_id),
      ];
      const cases = compareResults(
        { results: from.results, cases: before.cases },
        { results: to.results, cases: after.cases },
      );
      const side = ({ id: run_id, version_id, summary }: EvaluationRun) => ({ run_id, version_id, summary });
      const count = (wanted: string) =>
        cases.filter(({ change, cost_change, speed_change }) =>
          [change, cost_change, speed_change].includes(wanted as never),
        ).length;
      return {
        ...{ from: side(from), to: side(to), cases },
        ...{ better: count('better'), worse: count('worse') },
        same: cases.filter(({ change }) => change === 'same').length,
        ...{ dearer: count('dearer'), cheaper: count('cheaper'), slower: count('slower'), faster: count('faster') },
      };
    },
  };
}
