import type { AnswerCase, CaseResult } from '@atrium/contract/evaluations/schema.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { omit } from '../../../lib/omit.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { ConversationAccess } from '../../conversations/ports.ts';
import type { KnownCase } from './known-case.ts';

/** Decides whether a caller reads the texts of cases: the reason why not; null when it does. */
export interface CaseAccess {
  reasonToHide(one: KnownCase): string | null;
  /** Whether the caller may release the case. */
  mayRelease(one: KnownCase): boolean;
}

export type FindCaseAccess = (scope: Scope, cases: readonly KnownCase[]) => Promise<CaseAccess>;

const reasons = {
  conversation: 'It is made of a conversation that you may not read',
  unknown: 'Its source is not known: only callers with runs_read_all read it',
};
const hiddenName = 'Hidden case';

export const makeFindCaseAccess =
  (accessOf: ConversationAccess): FindCaseAccess =>
  async (scope, cases) => {
    const readsAll = allows(scope.permissions, 'runs_read_all');
    const ids = new Set(cases.flatMap(({ conversation_id }) => conversation_id ?? []));
    const access = await accessOf(scope, [...ids]);
    return {
      reasonToHide: ({ origin, conversation_id }) => {
        if (readsAll || origin === 'written' || origin === 'released') return null;
        if (conversation_id !== undefined && access.has(conversation_id)) return null;
        return reasons[origin];
      },
      mayRelease: ({ conversation_id }) =>
        readsAll || (conversation_id !== undefined && access.get(conversation_id) === 'owner'),
    };
  };

/** A case as the caller reads it. */
export function presentCase(one: KnownCase, access: CaseAccess): AnswerCase {
  const hidden = access.reasonToHide(one);
  if (hidden === null) return { ...omit(one, ['sourced_id', 'gone']), hidden };
  return { id: one.id, origin: one.origin, hidden, name: hiddenName, messages: [] };
}

/** A result without the words of the case and of the agent; the verdict stays. */
export function hideResult(result: CaseResult, hidden: string | null): CaseResult {
  if (hidden === null) return result;
  return {
    ...result,
    ...{ hidden, name: hiddenName, answer: '', reason: null, tool_calls: [] },
    error: result.error === null ? null : hidden,
    marks: result.marks.map((mark) => ({ ...mark, note: null })),
  };
}
