import { forbidden, InvalidRequest, invalid } from '@atrium/contract/errors.ts';
import {
  evaluateKnowledgeBase,
  searchKnowledgeBase,
  tuneKnowledgeBase,
} from '@atrium/contract/knowledge-bases/search-operations.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { handle, type Route } from '../../../lib/route.ts';
import { lacksPermission } from '../../../lib/scope.ts';
import { noAnonymizer } from '../../model-calls/service.ts';
import type { Documents } from '../documents/documents.ts';
import type { EvaluateSearch } from './evaluate-search.ts';
import type { KbSearch } from './search.ts';
import type { TuneSearch } from './tune-search.ts';

/** The search text stands in the query or in the body; the body wins. */
function requireQuery(query: string | undefined, sentIn: 'query' | 'body'): string {
  if (query !== undefined && query.trim() !== '') return query;
  throw new InvalidRequest([{ loc: [sentIn, 'query'], msg: 'Field required', type: 'missing', input: null, ctx: {} }]);
}

interface SearchServices {
  search: KbSearch;
  evaluate: EvaluateSearch;
  tune: TuneSearch;
  documents: Pick<Documents, 'existing'>;
}

export const searchRoutes = ({ search, evaluate, tune, documents }: SearchServices): Route[] => [
  handle(searchKnowledgeBase, async (scope, { params, query, body }) => {
    const wanted = { ...query, ...body };
    if (wanted.settings_ && !allows(scope.permissions, 'kbs_advanced'))
      throw forbidden(lacksPermission(scope, 'kbs_advanced'));
    const { document_ids = [] } = wanted;
    const existing = document_ids.length
      ? await documents.existing(scope, params.knowledge_base_id, document_ids)
      : new Set();
    const unknown = document_ids.findIndex((id) => !existing.has(id));
    if (unknown !== -1)
      throw invalid(
        ['body', 'document_ids', String(unknown)],
        'no such document in this knowledge base',
        document_ids[unknown],
      );
    const text = requireQuery(wanted.query, body.query === undefined ? 'query' : 'body');
    return search(scope, params.knowledge_base_id, { ...wanted, query: text }, noAnonymizer);
  }),
  handle(evaluateKnowledgeBase, (scope, { params, body }) => evaluate(scope, params.knowledge_base_id, body)),
  handle(tuneKnowledgeBase, (scope, { params, body }) => tune(scope, params.knowledge_base_id, body)),
];
