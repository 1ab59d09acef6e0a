import type { Evaluation, EvaluationRunItem, StoredResult } from '@atrium/contract/evaluations/schema.ts';
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
import { type CaseEntry, entryOf, type KnownCase, nameRows } from './sources/known-case.ts';
import { deleteUnusedTexts, insertSourcedCases, openCaseLists } from './sources/sourced-case-store.ts';

export type EvaluationRow = Omit<Evaluation, 'cases'> & { cases: KnownCase[] };
type StoredEvaluation = Omit<Evaluation, 'cases'> & { cases: CaseEntry[] };
export type RunRow = EvaluationRunItem & {
  /** As they were when the run was started. */
  cases: KnownCase[];
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

const caseList = (cases: readonly KnownCase[]) => JSON.stringify(cases.map(entryOf));
const storedCases = (workspace_id: string, id: string, cases: readonly KnownCase[]) =>
  storedText('evaluations.cases', workspace_id, id, caseList(cases));

/** With the texts of their cases; those whose conversation is deleted are left out. */
async function openRows(db: Db, workspace_id: string, rows: readonly StoredEvaluation[]): Promise<EvaluationRow[]> {
  const lists = rows.map(({ id, cases }) => ({ evaluation_id: id, entries: cases }));
  const opened = await openCaseLists(db, workspace_id, lists);
  return rows.map((row, at) => ({ ...row, cases: (opened[at] ?? []).filter(({ gone }) => !gone) }));
}

export async function insertEvaluation(
  db: Db,
  workspace_id: string,
  { id, agent_id, name, cases }: Pick<EvaluationRow, 'id' | 'agent_id' | 'name' | 'cases'>,
): Promise<EvaluationRow> {
  const named = nameRows(cases);
  const row = await db.one<StoredEvaluation>(sql`
    insert into evaluations (workspace_id, id, agent_id, name, cases)
    values (${workspace_id}, ${id}, ${agent_id}, ${name}, ${storedCases(workspace_id, id, named)}) returning ${columns}`);
  await insertSourcedCases(db, workspace_id, id, named);
  return { ...row, cases: named };
}

export async function findEvaluation(db: Db, workspace_id: string, id: string): Promise<EvaluationRow | undefined> {
  const row = await db.row<StoredEvaluation>(
    sql`select ${columns} from evaluations where workspace_id = ${workspace_id} and id = ${id}`,
  );
  return row && (await openRows(db, workspace_id, [row]))[0];
}

/** The same, held until the transaction ends, so that changes of single cases follow each other. */
export async function lockEvaluation(tx: Db, workspace_id: string, id: string): Promise<EvaluationRow | undefined> {
  const row = await tx.row<StoredEvaluation>(
    sql`select ${columns} from evaluations where workspace_id = ${workspace_id} and id = ${id} for update`,
  );
  return row && (await openRows(tx, workspace_id, [row]))[0];
}

export async function updateEvaluation(
  db: Db,
  workspace_id: string,
  id: string,
  name: string,
  cases: readonly KnownCase[],
): Promise<EvaluationRow | undefined> {
  const named = nameRows(cases);
  const row = await db.row<StoredEvaluation>(sql`
    update evaluations set name = ${name}, cases = ${storedCases(workspace_id, id, named)}, updated_at = now()
    where workspace_id = ${workspace_id} and id = ${id} returning ${columns}`);
  if (!row) return undefined;
  await insertSourcedCases(db, workspace_id, id, named);
  await deleteUnusedTexts(
    db,
    workspace_id,
    id,
    named.flatMap(({ sourced_id }) => sourced_id ?? []),
  );
  return { ...row, cases: named };
}

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
  const { rows, ...rest } = await readPage<StoredEvaluation>(db, page);
  return { ...rest, rows: await openRows(db, workspace_id, rows) };
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
      ${storedText('evaluation_runs.cases', group_id, run.id, caseList(cases))},
      ${JSON.stringify({ ...run.actor, ...personFields(run), ...conversationLimits(run) })}, ${[...run.permissions]})`);
};

export async function findRun(db: Db, workspace_id: string, id: string): Promise<RunRow | undefined> {
  const row = await db.row<Omit<RunRow, 'cases'> & { cases: CaseEntry[] }>(sql`
    select ${runColumns}, r.cases, r.actor, r.permissions, r.definition, r.restricted_settings, w.tenant_id, e.agent_id
    from evaluation_runs r join workspaces w on w.id = r.workspace_id
    join evaluations e on e.workspace_id = r.workspace_id and e.id = r.evaluation_id
    where r.workspace_id = ${workspace_id} and r.id = ${id}`);
  if (!row) return undefined;
  const [cases = []] = await openCaseLists(db, workspace_id, [
    { evaluation_id: row.evaluation_id, entries: row.cases },
  ]);
  return { ...row, cases };
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

/** Stores nothing when the run, or the conversation that the case is made of, is deleted meanwhile. */
export const upsertResult = (
  db: Db,
  workspace_id: string,
  run_id: string,
  result: StoredResult,
  { sourced_id = null }: { sourced_id?: string | null },
) =>
  db.run(sql`
    insert into evaluation_results (workspace_id, evaluation_run_id, position, result, sourced_case_id)
    select ${workspace_id}, r.id, ${result.position}::int,
      ${storedText('evaluation_results.result', workspace_id, [run_id, result.position], JSON.stringify(result))}::json,
      ${sourced_id}::uuid
    from evaluation_runs r
    where r.workspace_id = ${workspace_id} and r.id = ${run_id} and (${sourced_id}::uuid is null or exists (
      select from evaluation_sourced_cases s where s.workspace_id = ${workspace_id} and s.id = ${sourced_id}))
    on conflict do nothing`);

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
