import type { EvaluationMark } from '@atrium/contract/evaluations/mark-schema.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { storedTextOrNull } from '../../db/stored-text/stored-text.ts';

export interface MarkRow extends Omit<EvaluationMark, 'marked_by_actor'> {
  id: string;
  evaluation_run_id: string;
  position: number;
}

const columns = sql`id, evaluation_run_id, position, marked_by, passed, note, marked_at`;

/** Each actor has one mark for a result: the second replaces the first. Undefined: the result is gone. */
export const putMark = (db: Db, workspace_id: string, mark: Omit<MarkRow, 'marked_at'>) =>
  db.row<MarkRow>(sql`
    insert into evaluation_marks (workspace_id, evaluation_run_id, position, marked_by, id, passed, note)
    select ${workspace_id}, r.evaluation_run_id, r.position, ${mark.marked_by}, ${mark.id}, ${mark.passed},
      ${storedTextOrNull('evaluation_marks.note', workspace_id, [mark.evaluation_run_id, mark.position, mark.marked_by], mark.note)}
    from evaluation_results r
    where r.workspace_id = ${workspace_id} and r.evaluation_run_id = ${mark.evaluation_run_id}
      and r.position = ${mark.position}
    on conflict (workspace_id, evaluation_run_id, position, marked_by) do update
      set passed = excluded.passed, note = excluded.note, marked_at = now()
    returning ${columns}`);

export const deleteMark = (
  db: Db,
  workspace_id: string,
  { evaluation_run_id, position, marked_by }: Pick<MarkRow, 'evaluation_run_id' | 'position' | 'marked_by'>,
) =>
  db.run(sql`
    delete from evaluation_marks where workspace_id = ${workspace_id} and evaluation_run_id = ${evaluation_run_id}
      and position = ${position} and marked_by = ${marked_by}`);

/** The marks of a run, the newest first. */
export const listMarks = (db: Db, workspace_id: string, evaluation_run_id: string) =>
  db.rows<MarkRow>(sql`
    select ${columns} from evaluation_marks
    where workspace_id = ${workspace_id} and evaluation_run_id = ${evaluation_run_id}
    order by position, marked_at desc, id desc`);

export const listMarksOf = (
  db: Db,
  workspace_ids: readonly string[],
  actor_ids: readonly string[],
  after: string,
  limit: number,
) =>
  db.rows<MarkRow>(sql`
    select ${columns}, workspace_id from evaluation_marks
    where marked_by = any(${[...actor_ids]}::uuid[]) and workspace_id = any(${[...workspace_ids]}::uuid[]) and id > ${after}
    order by id limit ${limit}`);

export const deleteMarksOf = (db: Db, workspace_ids: readonly string[], actor_ids: readonly string[]) =>
  db.run(sql`
    delete from evaluation_marks
    where marked_by = any(${[...actor_ids]}::uuid[]) and workspace_id = any(${[...workspace_ids]}::uuid[])`);
