import { conflict } from '@atrium/contract/errors.ts';
import type { Db } from '../../db/database.ts';
import { conversationLimits } from '../../execution/nesting.ts';
import { newId } from '../../lib/ids.ts';
import { personFields, type Scope } from '../../lib/scope.ts';
import { type EvaluationRow, insertRun, type TriedSettings } from './store.ts';

/** Starts a run for the caller, whose permissions its tools read with; returns its id. */
export type StartRun = (tx: Db, scope: Scope, evaluation: EvaluationRow, tried: TriedSettings) => Promise<string>;

/** `queue` enqueues the run in the caller's transaction. */
export const makeStartRun =
  (queue: (tx: Db, workspace_id: string, run_id: string) => Promise<void>): StartRun =>
  async (tx, scope, evaluation, tried) => {
    if (evaluation.cases.length === 0) throw conflict('There are no cases in this evaluation', 'no_cases');
    const { actor, permissions } = scope;
    const asker = { actor, permissions, ...personFields(scope), ...conversationLimits(scope) };
    const id = newId();
    await insertRun(tx, evaluation, { ...tried, id, ...asker });
    await queue(tx, scope.workspace_id, id);
    return id;
  };
