import { isDeepStrictEqual } from 'node:util';
import { invalid } from '@atrium/contract/errors.ts';
import type { EvaluationCase, GivenCase } from '@atrium/contract/evaluations/schema.ts';
import { newId } from '../../../lib/ids.ts';
import { omit } from '../../../lib/omit.ts';
import type { CaseAccess } from './hide-cases.ts';
import { contentOf, type KnownCase } from './known-case.ts';

/** A case with other texts, which go to a row of their own: runs keep those that they began with. */
export function withContent(before: KnownCase, given: EvaluationCase): KnownCase {
  const content = omit(given, ['id']);
  if (isDeepStrictEqual(content, contentOf(before))) return before;
  const { id, origin, conversation_id, released_at } = before;
  return { ...content, id, origin, ...(conversation_id && { conversation_id }), ...(released_at && { released_at }) };
}

const writtenCase = (content: EvaluationCase): KnownCase => ({ ...content, id: newId(), origin: 'written' });

/**
 * The cases of a list that a caller sends. A case keeps the id and the origin of a case before it that it names first; every
 * other one is new. A case that the caller may not read stays as it is.
 */
export function mergeCases(given: readonly GivenCase[], before: readonly KnownCase[], access: CaseAccess): KnownCase[] {
  const free = new Map(before.map((one) => [one.id, one]));
  return given.map((one, at) => {
    const known = one.id === undefined ? undefined : free.get(one.id);
    if (known) free.delete(known.id);
    if (known && access.reasonToHide(known) !== null) return known;
    if (one.messages.length === 0)
      throw invalid(['body', 'cases', String(at), 'messages'], 'a case needs at least one message', one.messages);
    const content = omit(one, ['origin', 'hidden', 'conversation_id', 'released_at']);
    return known ? withContent(known, content) : writtenCase(content);
  });
}

/** Cases that come with a new evaluation. */
export const newCases = (given: readonly GivenCase[]): KnownCase[] =>
  mergeCases(given, [], { reasonToHide: () => null, mayRelease: () => false });
