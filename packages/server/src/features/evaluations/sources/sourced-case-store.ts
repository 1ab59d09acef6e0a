import type { EvaluationCase } from '@atrium/contract/evaluations/schema.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { storedText } from '../../../db/stored-text/stored-text.ts';
import { idOfPosition } from '../case-ids.ts';
import { type CaseEntry, contentOf, isSourced, type KnownCase } from './known-case.ts';

interface SourcedCase {
  id: string;
  conversation_id: string;
  content: EvaluationCase;
}

const findSourcedCases = (db: Db, workspace_id: string, ids: readonly string[]) =>
  db.rows<SourcedCase>(sql`
    select id, conversation_id, content from evaluation_sourced_cases
    where workspace_id = ${workspace_id} and id = any(${[...ids]}::uuid[])`);

interface CaseList {
  evaluation_id: string;
  entries: readonly CaseEntry[];
}

/** Reads the texts of cases that are stored by reference; a case whose conversation is deleted is `gone`. */
export async function openCaseLists(db: Db, workspace_id: string, lists: readonly CaseList[]): Promise<KnownCase[][]> {
  const ids = lists.flatMap(({ entries }) => entries.filter(isSourced).map(({ sourced_id }) => sourced_id));
  const rows = ids.length === 0 ? [] : await findSourcedCases(db, workspace_id, ids);
  const known = new Map(rows.map((row) => [row.id, row]));
  return lists.map(({ evaluation_id, entries }) =>
    entries.map((entry, position): KnownCase => {
      if (!isSourced(entry))
        return { ...entry, id: entry.id ?? idOfPosition(evaluation_id, position), origin: entry.origin ?? 'unknown' };
      const row = known.get(entry.sourced_id);
      if (!row) return { id: entry.id, messages: [], match: 'similar', origin: 'conversation', gone: true };
      const { content, conversation_id } = row;
      return { ...content, ...entry, origin: 'conversation', conversation_id };
    }),
  );
}

/** Stores the texts of these cases, each in the row that it names; rows that are there stay as they are. */
export async function insertSourcedCases(
  db: Db,
  workspace_id: string,
  evaluation_id: string,
  cases: readonly KnownCase[],
): Promise<void> {
  for (const one of cases) {
    const { id, sourced_id, conversation_id } = one;
    if (sourced_id === undefined || conversation_id === undefined) continue;
    const content = JSON.stringify(contentOf(one));
    await db.run(sql`
      insert into evaluation_sourced_cases (workspace_id, id, evaluation_id, case_id, conversation_id, content)
      values (${workspace_id}, ${sourced_id}, ${evaluation_id}, ${id}, ${conversation_id},
        ${storedText('evaluation_sourced_cases.content', workspace_id, sourced_id, content)})
      on conflict do nothing`);
  }
}

/** Deletes the texts that neither the evaluation nor a run of it can refer to. */
export const deleteUnusedTexts = (db: Db, workspace_id: string, evaluation_id: string, used: readonly string[]) =>
  db.run(sql`
    delete from evaluation_sourced_cases s
    where s.workspace_id = ${workspace_id} and s.evaluation_id = ${evaluation_id} and s.id <> all(${[...used]}::uuid[])
      and not exists (select from evaluation_runs r where r.workspace_id = s.workspace_id
        and r.evaluation_id = s.evaluation_id and r.created_at >= s.created_at - interval '1 minute')`);

/** Deletes all texts of a case, and the results that were computed from them. */
export const deleteTextsOfCase = (db: Db, workspace_id: string, evaluation_id: string, case_id: string) =>
  db.run(sql`
    delete from evaluation_sourced_cases
    where workspace_id = ${workspace_id} and evaluation_id = ${evaluation_id} and case_id = ${case_id}`);

/** Deletes the cases of conversations with the results that were computed from them; how many cases there were. */
export const deleteCasesOf = async (db: Db, workspace_id: string, conversation_ids: readonly string[]) =>
  (
    await db.one<{ cases: number }>(sql`
      with gone as (
        delete from evaluation_sourced_cases
        where workspace_id = ${workspace_id} and conversation_id = any(${[...conversation_ids]}::uuid[])
        returning evaluation_id, case_id)
      select count(distinct (evaluation_id, case_id))::int as cases from gone`)
  ).cases;

export const listCasesOf = (db: Db, workspace_id: string, conversation_ids: readonly string[]) =>
  db.rows<SourcedCase & { workspace_id: string; evaluation_id: string; case_id: string; created_at: string }>(sql`
    select workspace_id, id, evaluation_id, case_id, conversation_id, content, created_at from evaluation_sourced_cases
    where workspace_id = ${workspace_id} and conversation_id = any(${[...conversation_ids]}::uuid[]) order by id`);

/** Forgets who started evaluation runs; tools are no longer called for them. */
export const forgetStarters = (db: Db, workspace_ids: readonly string[], actor_ids: readonly string[]) =>
  db.run(sql`
    update evaluation_runs set actor = null, permissions = '{}'
    where workspace_id = any(${[...workspace_ids]}::uuid[])
      and (actor ->> 'id' = any(${[...actor_ids]}) or actor ->> 'person_id' = any(${[...actor_ids]}))`);
