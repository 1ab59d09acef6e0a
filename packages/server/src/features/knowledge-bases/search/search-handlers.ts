import { InvalidRequest, invalid } from '@atrium/contract/errors.ts';
import { evaluateKnowledgeBase, searchKnowledgeBase } from '@atrium/contract/knowledge-bases/search-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { Scope } from '../../../lib/scope.ts';
import { noAnonymizer } from '../../model-calls/service.ts';
import type { makeEvaluate } from './evaluate-search.ts';
import type { KbSearch } from './search.ts';

/** What is wanted stands in the query or in the body; the body wins. */
function required(query: string | undefined, sentIn: 'query' | 'body'): string {
  if (query !== undefined && query.trim() !== '') return query;
  throw new InvalidRequest([{ loc: [sentIn, 'query'], msg: 'Field required', type: 'missing', input: null, ctx: {} }]);
}

interface SearchDoors {
  search: KbSearch;
  evaluate: ReturnType<typeof makeEvaluate>;
  /** Which of these are documents of the base; fails when there is no such base. */
  known(scope: Scope, kb_id: string, ids: readonly string[]): Promise<Set<string>>;
}

export const searchRoutes = ({ search, evaluate, known }: SearchDoors): Route[] => [
  handle(searchKnowledgeBase, async (scope, { params, query, body }) => {
    const wanted = { ...query, ...body };
    const { document_ids = [] } = wanted;
    const own = document_ids.length ? await known(scope, params.knowledge_base_id, document_ids) : new Set();
    const strange = document_ids.findIndex((id) => !own.has(id));
    if (strange !== -1)
      throw invalid(
        ['body', 'document_ids', String(strange)],
        'no such document in this knowledge base',
        document_ids[strange],
      );
    const asked = required(wanted.query, body.query === undefined ? 'query' : 'body');
    return search(scope, params.knowledge_base_id, { ...wanted, query: asked }, noAnonymizer);
  }),
  handle(evaluateKnowledgeBase, (scope, { params, body }) => evaluate(scope, params.knowledge_base_id, body)),
];
