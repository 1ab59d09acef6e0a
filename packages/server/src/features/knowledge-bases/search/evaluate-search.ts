import { invalid } from '@atrium/contract/errors.ts';
import type { EvaluateBody } from '@atrium/contract/knowledge-bases/inputs.ts';
import type { Evaluation } from '@atrium/contract/knowledge-bases/schema.ts';
import type { Scope } from '../../../lib/scope.ts';
import { noAnonymizer } from '../../model-calls/service.ts';
import type { Documents } from '../documents/documents.ts';
import type { KbSearch, SearchRequest } from './search.ts';

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Measures a ranking of documents against the expected ones. */
export function measures(found: readonly string[], expected: ReadonlySet<string>, k: number) {
  const gain = (documents: readonly string[]) =>
    documents.reduce((sum, id, at) => sum + (expected.has(id) ? 1 / Math.log2(at + 2) : 0), 0);
  const ideal = Array.from({ length: Math.min(10, expected.size) }, (_, at) => 1 / Math.log2(at + 2)).reduce(
    (a, b) => a + b,
    0,
  );
  const first = found.findIndex((id) => expected.has(id));
  return {
    recall_at_k: found.slice(0, k).filter((id) => expected.has(id)).length / expected.size,
    ndcg_at_10: gain(found.slice(0, 10)) / ideal,
    reciprocal_rank: first === -1 ? 0 : 1 / (first + 1),
  };
}

export type EvaluateSearch = (
  scope: Scope,
  kb_id: string,
  body: EvaluateBody,
  how?: Pick<SearchRequest, 'unrestricted_only'>,
) => Promise<Evaluation>;

/** Searches for questions whose documents are known, by the stored settings or by settings on trial. */
export function makeEvaluateSearch(deps: { search: KbSearch; documents: Pick<Documents, 'existing'> }): EvaluateSearch {
  return async (scope, kb_id, { questions, k, settings_ }, how = {}) => {
    const known = await deps.documents.existing(
      scope,
      kb_id,
      questions.flatMap(({ document_ids }) => document_ids),
    );
    questions.forEach(({ document_ids }, at) => {
      const unknown = document_ids.findIndex((id) => !known.has(id));
      if (unknown !== -1)
        throw invalid(
          ['body', 'questions', String(at), 'document_ids', String(unknown)],
          'no such document in this knowledge base',
          document_ids[unknown],
        );
    });
    const per_question: Evaluation['per_question'] = [];
    for (const { query, document_ids } of questions) {
      const hits = await deps.search(scope, kb_id, { query, top_k: Math.max(k, 10), settings_, ...how }, noAnonymizer);
      const found = [...new Set(hits.map(({ citation }) => citation.document_id))];
      per_question.push({ query, ...measures(found, new Set(document_ids), k), found: found.slice(0, k) });
    }
    return {
      questions: questions.length,
      k,
      recall_at_k: mean(per_question.map(({ recall_at_k }) => recall_at_k)),
      ndcg_at_10: mean(per_question.map(({ ndcg_at_10 }) => ndcg_at_10)),
      mrr: mean(per_question.map(({ reciprocal_rank }) => reciprocal_rank)),
      per_question,
    };
  };
}
