import type { CaseResult, Evaluation, EvaluationCase, EvaluationRunItem } from '@atrium/contract/evaluations/schema.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import { countRows } from '../../db/count-rows.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions, listOrder } from '../../db/list-query.ts';
import { nothing, sql } from '../../db/sql.ts';
import { storedText } from '../../db/stored-text/stored-text.ts';
import { type Actor, personFields, type Scope } from '../../lib/scope.ts';

export type EvaluationRow = Omit<Evaluation, 'cases'> & { cases: EvaluationCase[] };
export type RunRow = EvaluationRunItem & {
  cases: EvaluationCase[];
  tenant_id: string;
  agent_id: string;
  /** The caller that started the run; null for runs that are older than this record. */
  /** Who started the run, with the asking person behind it. */
  actor: (Actor & { person_id?: string }) | null;
  permissions: Permission[];
};

const columns = sql`id, workspace_id as group_id, agent_id, name, cases, created_at, updated_at, etag::text as etag`;
const runColumns = sql`r.id, r.workspace_id as group_id, r.evaluation_id, r.version_id, r.status, r.error, r.created_at,
  r.started_at, r.finished_at`;

const storedCases = (workspace_id: string, id: string, cases: readonly EvaluationCase[]) =>
  storedText('evaluations.cases', workspace_id, id, JSON.stringify(cases));

export const insertEvaluation = async (
  db: Db,
  workspace_id: string,
  { id, agent_id, name, cases }: Pick<EvaluationRow, 'id' | 'agent_id' | 'name' | 'cases'>,
) =>
  await db.one<EvaluationRow>(sql`
    insert into evaluations (workspace_id, id, agent_id, name, cases)
    values (${workspace_id}, ${id}, ${agent_id}, ${name}, ${storedCases(workspace_id, id, cases)}) returning ${columns}`);

export const findEvaluation = (db: Db, workspace_id: string, id: string) =>
  db.row<EvaluationRow>(sql`select ${columns} from evaluations where workspace_id = ${workspace_id} and id = ${id}`);

export const updateEvaluation = (db: Db, workspace_id: string, id: string, name: string, cases: EvaluationCase[]) =>
  db.row<EvaluationRow>(sql`
    update evaluations set name = ${name}, cases = ${storedCases(workspace_id, id, cases)}, updated_at = now()
    where workspace_id = ${workspace_id} and id = ${id} returning ${columns}`);

export const deleteEvaluation = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`delete from evaluations where workspace_id = ${workspace_id} and id = ${id}`);

const listColumns: ListColumns = {
  id: sql`id`,
  created_at: sql`created_at`,
  updated_at: sql`updated_at`,
  search: [sql`name`],
  sort: { name: sql`lower(name)`, updated_at: sql`updated_at` },
};
const runListColumns: ListColumns = { id: sql`r.id`, created_at: sql`r.created_at` };

export async function listEvaluations(
  db: Db,
  workspace_id: string,
  { agent_id, ...filter }: ListFilter & { agent_id?: string | undefined },
  { size, offset }: { size: number; offset: number },
) {
  const where = sql`workspace_id = ${workspace_id} ${agent_id === undefined ? nothing : sql`and agent_id = ${agent_id}`}
    ${listConditions(listColumns, filter)}`;
  const [rows, total] = await Promise.all([
    db.rows<EvaluationRow>(sql`
      select ${columns} from evaluations where ${where}
      order by ${listOrder(listColumns, filter.sort, sql`id desc`)} limit ${size} offset ${offset}`),
    countRows(db, sql`from evaluations where ${where}`),
  ]);
  return { rows, total };
}

export const insertRun = async (
  db: Db,
  { group_id, id, cases }: EvaluationRow,
  run: { id: string; version_id: string } & Pick<Scope, 'actor' | 'permissions' | 'person_id'>,
): Promise<void> => {
  await db.run(sql`
    insert into evaluation_runs (workspace_id, id, evaluation_id, version_id, cases, actor, permissions)
    values (${group_id}, ${run.id}, ${id}, ${run.version_id},
      ${storedText('evaluation_runs.cases', group_id, run.id, JSON.stringify(cases))},
      ${JSON.stringify({ ...run.actor, ...personFields(run) })}, ${[...run.permissions]})`);
};

export const findRun = (db: Db, workspace_id: string, id: string) =>
  db.row<RunRow>(sql`
    select ${runColumns}, r.cases, r.actor, r.permissions, w.tenant_id, e.agent_id
    from evaluation_runs r join workspaces w on w.id = r.workspace_id
    join evaluations e on e.workspace_id = r.workspace_id and e.id = r.evaluation_id
    where r.workspace_id = ${workspace_id} and r.id = ${id}`);

export async function listRuns(
  db: Db,
  workspace_id: string,
  evaluation_id: string,
  filter: ListFilter,
  { size, offset }: { size: number; offset: number },
) {
  const where = sql`r.workspace_id = ${workspace_id} and r.evaluation_id = ${evaluation_id}
    ${listConditions(runListColumns, filter)}`;
  const [rows, total] = await Promise.all([
    db.rows<EvaluationRunItem>(sql`
      select ${runColumns} from evaluation_runs r where ${where}
      order by ${listOrder(runListColumns, filter.sort, sql`r.id desc`)} limit ${size} offset ${offset}`),
    countRows(db, sql`from evaluation_runs r where ${where}`),
  ]);
  return { rows, total };
}

export const resultsOf = async (db: Db, workspace_id: string, run_id: string) =>
  (
    await db.rows<{ result: CaseResult }>(sql`
      select result, position from evaluation_results where workspace_id = ${workspace_id} and evaluation_run_id = ${run_id}
      order by position`)
  ).map(({ result }) => result);

export const upsertResult = (db: Db, workspace_id: string, run_id: string, result: CaseResult) =>
  db.run(sql`
    insert into evaluation_results (workspace_id, evaluation_run_id, position, result)
    select ${workspace_id}, r.id, ${result.position}::int,
      ${storedText('evaluation_results.result', workspace_id, [run_id, result.position], JSON.stringify(result))}::json from evaluation_runs r
    where r.workspace_id = ${workspace_id} and r.id = ${run_id} on conflict do nothing`);

export const setStatus = (
  db: Db,
  workspace_id: string,
  run_id: string,
  status: EvaluationRunItem['status'],
  error: string | null = null,
) =>
  db.run(sql`
    update evaluation_runs set status = ${status}, error = ${error}, started_at = coalesce(started_at, now()),
      finished_at = ${status === 'running' ? sql`null` : sql`now()`}
    where workspace_id = ${workspace_id} and id = ${run_id}`);
