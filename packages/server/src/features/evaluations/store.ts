import type {
  Evaluation,
  EvaluationCase,
  EvaluationRunItem,
  StoredCase,
  StoredResult,
} from '@atrium/contract/evaluations/schema.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { nothing, sql } from '../../db/sql.ts';
import { storedText } from '../../db/stored-text/stored-text.ts';
import { conversationLimits } from '../../execution/nesting.ts';
import { type Actor, personFields, type Scope } from '../../lib/scope.ts';
import type { SecretSetting } from '../tools/ports.ts';
import { readCaseIds } from './case-ids.ts';

export type EvaluationRow = Omit<Evaluation, 'cases'> & { cases: StoredCase[] };
export type RunRow = EvaluationRunItem & {
  cases: StoredCase[];
  tenant_id: string;
  agent_id: string;
  /** Who started the run, with the asking person behind it and whose conversations it sees; null for runs that are older than this record. */
  actor: (Actor & Partial<Pick<Scope, 'person_id' | 'own_conversations' | 'conversations_of'>>) | null;
  permissions: Permission[];
  /** The settings of a run that tries no version, as JSON text. */
  definition: string | null;
  /** Those of them that were saved without variables_read. */
  restricted_settings: SecretSetting[];
};

const columns = sql`id, workspace_id as group_id, agent_id, name, cases, created_at, updated_at, etag::text as etag`;
const runColumns = sql`r.id, r.workspace_id as group_id, r.evaluation_id, r.version_id, r.status, r.error, r.created_at,
  r.started_at, r.finished_at`;

const storedCases = (workspace_id: string, id: string, cases: readonly EvaluationCase[]) =>
  storedText('evaluations.cases', workspace_id, id, JSON.stringify(cases));

const withIds = <R extends EvaluationRow | undefined>(row: R): R =>
  row && { ...row, cases: readCaseIds(row.id, row.cases) };

export const insertEvaluation = async (
  db: Db,
  workspace_id: string,
  { id, agent_id, name, cases }: Pick<EvaluationRow, 'id' | 'agent_id' | 'name' | 'cases'>,
) =>
  await db.one<EvaluationRow>(sql`
    insert into evaluations (workspace_id, id, agent_id, name, cases)
    values (${workspace_id}, ${id}, ${agent_id}, ${name}, ${storedCases(workspace_id, id, cases)}) returning ${columns}`);

export const findEvaluation = async (db: Db, workspace_id: string, id: string) =>
  withIds(
    await db.row<EvaluationRow>(
      sql`select ${columns} from evaluations where workspace_id = ${workspace_id} and id = ${id}`,
    ),
  );

/** The same, held until the transaction ends, so that changes of single cases follow each other. */
export const lockEvaluation = async (tx: Db, workspace_id: string, id: string) =>
  withIds(
    await tx.row<EvaluationRow>(
      sql`select ${columns} from evaluations where workspace_id = ${workspace_id} and id = ${id} for update`,
    ),
  );

export const updateEvaluation = (
  db: Db,
  workspace_id: string,
  id: string,
  name: string,
  cases: readonly StoredCase[],
) =>
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
  window: PageWindow,
) {
  const where = sql`workspace_id = ${workspace_id} ${agent_id === undefined ? nothing : sql`and agent_id = ${agent_id}`}
    ${listConditions(listColumns, filter)}`;
  const page = {
    columns,
    from: sql`evaluations`,
    where,
    list: listColumns,
    window,
    facets: { agent_id: sql`agent_id` },
  };
  const { rows, ...rest } = await readPage<EvaluationRow>(db, page);
  return { ...rest, rows: rows.map(withIds) };
}

/** The settings that a run tries: those of a version, or their text. */
export interface TriedSettings {
  version_id: string | null;
  definition: string | null;
  restricted_settings: readonly SecretSetting[];
  settings_digest: string;
}

export const insertRun = async (
  db: Db,
  { group_id, id, cases }: EvaluationRow,
  run: TriedSettings & { id: string } & Pick<
      Scope,
      'actor' | 'permissions' | 'person_id' | 'own_conversations' | 'conversations_of'
    >,
): Promise<void> => {
  await db.run(sql`
    insert into evaluation_runs (workspace_id, id, evaluation_id, version_id, definition, restricted_settings,
      settings_digest, case_count, cases, actor, permissions)
    values (${group_id}, ${run.id}, ${id}, ${run.version_id}, ${run.definition},
      ${run.restricted_settings}::text[], ${run.settings_digest}, ${cases.length},
      ${storedText('evaluation_runs.cases', group_id, run.id, JSON.stringify(cases))},
      ${JSON.stringify({ ...run.actor, ...personFields(run), ...conversationLimits(run) })}, ${[...run.permissions]})`);
};

export async function findRun(db: Db, workspace_id: string, id: string): Promise<RunRow | undefined> {
  const row = await db.row<RunRow>(sql`
    select ${runColumns}, r.cases, r.actor, r.permissions, r.definition, r.restricted_settings, w.tenant_id, e.agent_id
    from evaluation_runs r join workspaces w on w.id = r.workspace_id
    join evaluations e on e.workspace_id = r.workspace_id and e.id = r.evaluation_id
    where r.workspace_id = ${workspace_id} and r.id = ${id}`);
  return row && { ...row, cases: readCaseIds(row.evaluation_id, row.cases) };
}

/** The newest run of the evaluation that tried these settings. */
export async function findRunOfSettings(db: Db, workspace_id: string, evaluation_id: string, settings_digest: string) {
  const found = await db.row<{ id: string }>(sql`
    select id from evaluation_runs
    where workspace_id = ${workspace_id} and evaluation_id = ${evaluation_id} and settings_digest = ${settings_digest}
    order by id desc limit 1`);
  return found && findRun(db, workspace_id, found.id);
}

export async function listRuns(
  db: Db,
  workspace_id: string,
  evaluation_id: string,
  filter: ListFilter,
  window: PageWindow,
) {
  const where = sql`r.workspace_id = ${workspace_id} and r.evaluation_id = ${evaluation_id}
    ${listConditions(runListColumns, filter)}`;
  return readPage<EvaluationRunItem>(db, {
    ...{ columns: runColumns, from: sql`evaluation_runs r`, where, list: runListColumns, window },
  });
}

export const resultsOf = async (db: Db, workspace_id: string, run_id: string) =>
  (
    await db.rows<{ result: StoredResult }>(sql`
      select result, position from evaluation_results where workspace_id = ${workspace_id} and evaluation_run_id = ${run_id}
      order by position`)
  ).map(({ result }) => result);

export const upsertResult = (db: Db, workspace_id: string, run_id: string, result: StoredResult) =>
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
