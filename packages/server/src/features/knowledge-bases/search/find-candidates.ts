import type { IndexFilter, IndexName, RetrievalIndex } from '../../../drivers/search-index/driver.ts';
import { ignoreMissing, rightsIndexName } from '../index/rights-index.ts';
import type { QuestionWord } from '../ranking/parse-question.ts';
import type { CandidatePassage } from '../ranking/passage-terms.ts';
import { makePickCandidates } from '../ranking/pick-candidates.ts';
import { makeReadPassageSet } from '../ranking/read-passage-set.ts';
import type { SearchModel } from '../ranking/search-model.ts';

/** So many candidates are scored of each large index of restricted documents, and of all small ones together. */
const [mostOfLarge, mostOfSmall] = [40, 60];

type Candidate = CandidatePassage & { restricted: boolean };

/**
 * Finds the passages that have words of a question: by the engine, and for small sets of restricted documents in memory,
 * because a call of the engine for each of them takes longer than the rest of a search.
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
    const searchRestricted = async (rights_id: number) => {
      const own = rightsIndexName(at, rights_id);
      const set = pick && (await readSet(own, model));
      return set ? { set } : { found: await index.findCandidates(own, asked, Math.max(limit, mostOfLarge), filter) };
    };
    const [open, ...restricted] = await Promise.all([
      index.findCandidates(at, asked, most, filter),
      ...visible.map((rights_id) => ignoreMissing(rights_id, searchRestricted(rights_id))),
    ]);
    const sets = restricted.flatMap((own) => own?.set ?? []);
    const ofSmall = pick?.(sets, Math.max(limit, mostOfSmall)) ?? [];
    const ofLarge = restricted.flatMap((own): CandidatePassage[] => own?.found ?? []);
    return [
      ...open.map((candidate) => ({ ...candidate, restricted: false })),
      ...[...ofSmall, ...ofLarge].map((candidate) => ({ ...candidate, restricted: true })),
    ];
  };
}
