import { invalid } from '@atrium/contract/errors.ts';
import type { EvaluateBody } from '@atrium/contract/knowledge-bases/inputs.ts';
import type { Evaluation } from '@atrium/contract/knowledge-bases/schema.ts';
import type { Scope } from '../../../lib/scope.ts';
import { noAnonymizer } from '../../model-calls/service.ts';
import type { KbSearch } from './search.ts';

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** What a ranking of documents is worth when these are the right ones. */
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

/** Asks questions whose documents are known, by the settings in force or by others on trial. */
export function makeEvaluate(deps: {
  search: KbSearch;
  /** Fails when there is no such base. */
  known(scope: Scope, kb_id: string, ids: readonly string[]): Promise<Set<string>>;
}) {
  return async (scope: Scope, kb_id: string, { questions, k, settings_ }: EvaluateBody): Promise<Evaluation> => {
    const known = await deps.known(
      scope,
      kb_id,
      questions.flatMap(({ document_ids }) => document_ids),
    );
    questions.forEach(({ document_ids }, at) => {
      const strange = document_ids.findIndex((id) => !known.has(id));
      if (strange !== -1)
        throw invalid(
          ['body', 'questions', String(at), 'document_ids', String(strange)],
          'no such document in this knowledge base',
          document_ids[strange],
        );
    });
    const per_question: Evaluation['per_question'] = [];
    for (const { query, document_ids } of questions) {
      const hits = await deps.search(scope, kb_id, { query, top_k: Math.max(k, 10), settings_ }, noAnonymizer);
      const found = [...new Set(hits.map(({ citation }) => citation.document_id))];
      per_question.push({ query, ...measures(found, new Set(document_ids), k), found: found.slice(0, k) });
    }
    return {
      questions: questions.length,
      k,
      recall_at_k: mean(per_question.map((one) => one.recall_at_k)),
      ndcg_at_10: mean(per_question.map((one) => one.ndcg_at_10)),
      mrr: mean(per_question.map((one) => one.reciprocal_rank)),
      per_question,
    };
  };
}
