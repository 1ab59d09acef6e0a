import type { IndexFilter, IndexName, RetrievalIndex } from '../../../drivers/search-index/driver.ts';
import { ignoreMissing, rightsIndexName } from '../index/rights-index.ts';
import type { QuestionWord } from '../ranking/parse-question.ts';
import type { CandidatePassage } from '../ranking/passage-terms.ts';
import { makePickCandidates } from '../ranking/pick-candidates.ts';
import { makeReadPassageSet } from '../ranking/read-passage-set.ts';
import type { SearchModel } from '../ranking/search-model.ts';

/** So many candidates of each index of restricted documents are scored, of which a caller may have several. */
const mostRestricted = 40;

type Candidate = CandidatePassage & { restricted: boolean };

/**
 * Finds the passages that have words of a question: by the engine, and for small sets of restricted documents in memory,
 * because each call of the engine takes as long as all the rest of a search of such a set.
 */
export function makeFindCandidates(index: RetrievalIndex) {
  const readSet = makeReadPassageSet(index);

  return async (
    at: IndexName,
    model: SearchModel,
    words: readonly QuestionWord[],
    where: { filter: IndexFilter; visible: readonly number[]; limit: number; most: number },
  ): Promise<Candidate[]> => {
    const { filter, visible, limit, most } = where;
    const asked = words.map(({ word }) => word);
    const hasFilter = Object.keys(filter).length > 0;
    const pick = visible.length && !hasFilter ? makePickCandidates(model, words) : undefined;
    const findRestricted = async (rights_id: number): Promise<CandidatePassage[]> => {
      const own = rightsIndexName(at, rights_id);
      const count = Math.max(limit, mostRestricted);
      const set = pick && (await readSet(own, model));
      return pick && set ? pick(set, count) : index.findCandidates(own, asked, count, filter);
    };
    const [open, ...restricted] = await Promise.all([
      index.findCandidates(at, asked, most, filter),
      ...visible.map(async (rights_id) => (await ignoreMissing(rights_id, findRestricted(rights_id))) ?? []),
    ]);
    return [
      ...open.map((candidate) => ({ ...candidate, restricted: false })),
      ...restricted.flat().map((candidate) => ({ ...candidate, restricted: true })),
    ];
  };
}
