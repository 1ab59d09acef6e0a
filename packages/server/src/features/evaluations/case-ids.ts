import { createHash } from 'node:crypto';
import type { EvaluationCase, StoredCase } from '@atrium/contract/evaluations/schema.ts';
import { newId } from '../../lib/ids.ts';

/** Cases that are older than ids get the same one at every reading, until the first change stores it. */
function idOfPosition(evaluation_id: string, position: number): string {
  const digest = createHash('sha256').update(`${evaluation_id} ${position}`).digest('hex');
  return digest.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5');
}

export const readCaseIds = (evaluation_id: string, cases: readonly EvaluationCase[]): StoredCase[] =>
  cases.map((one, position) => ({ ...one, id: one.id ?? idOfPosition(evaluation_id, position) }));

/** A case keeps the id of a case before it that it names first; every other one is new. */
export function assignCaseIds(cases: readonly EvaluationCase[], before: readonly StoredCase[]): StoredCase[] {
  const free = new Set(before.map(({ id }) => id));
  return cases.map((one) => ({ ...one, id: one.id !== undefined && free.delete(one.id) ? one.id : newId() }));
}
