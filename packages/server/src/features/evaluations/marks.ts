import { notFound } from '@atrium/contract/errors.ts';
import type { EvaluationMark, EvaluationMarkBody } from '@atrium/contract/evaluations/mark-schema.ts';
import type { Database } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { omit } from '../../lib/omit.ts';
import type { Scope } from '../../lib/scope.ts';
import { withActor, withActors } from '../actors/service.ts';
import { deleteMark, listMarks, type MarkRow, putMark } from './mark-store.ts';
import { findRun } from './store.ts';

interface MarkedResult {
  evaluation_id: string;
  evaluation_run_id: string;
  case_id: string;
}

/** What people think of the results of evaluation runs. */
export interface EvaluationMarks {
  set(scope: Scope, of: MarkedResult, body: EvaluationMarkBody): Promise<EvaluationMark>;
  /** Takes back the mark of the caller. */
  remove(scope: Scope, of: MarkedResult): Promise<void>;
  /** The marks of a run by the position of the case, the newest first. */
  ofRun(scope: Scope, evaluation_run_id: string): Promise<Map<number, EvaluationMark[]>>;
}

const present = (row: MarkRow & Pick<EvaluationMark, 'marked_by_actor'>): EvaluationMark =>
  omit(row, ['id', 'evaluation_run_id', 'position']);

export function makeEvaluationMarks({ db }: { db: Database }): EvaluationMarks {
  async function keyOf(scope: Scope, { evaluation_id, evaluation_run_id, case_id }: MarkedResult) {
    const run = await findRun(db, scope.workspace_id, evaluation_run_id);
    if (run?.evaluation_id !== evaluation_id) throw notFound('evaluation run');
    const position = run.cases.findIndex(({ id }) => id === case_id);
    if (position < 0) throw notFound('result');
    return { evaluation_run_id, position, marked_by: scope.actor.id };
  }

  return {
    async set(scope, of, { passed, note = null }) {
      const key = await keyOf(scope, of);
      return db.transaction(scope, async (tx) => {
        const row = await putMark(tx, scope.workspace_id, { ...key, id: newId(), passed, note });
        if (!row) throw notFound('result');
        return present(await withActor(tx, scope, row, 'marked_by'));
      });
    },

    async remove(scope, of) {
      const key = await keyOf(scope, of);
      await db.write(scope, (tx) => deleteMark(tx, scope.workspace_id, key));
    },

    async ofRun(scope, evaluation_run_id) {
      const rows = await listMarks(db, scope.workspace_id, evaluation_run_id);
      const named = await withActors<'marked_by', MarkRow>(db, scope, rows, 'marked_by');
      const marks = new Map<number, EvaluationMark[]>();
      for (const row of named) marks.set(row.position, [...(marks.get(row.position) ?? []), present(row)]);
      return marks;
    },
  };
}
