import { z } from 'zod';
import { InvalidRequest, invalid } from '../../lib/errors.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import type { Scope } from '../../lib/scope.ts';
import { openly } from '../models/veil.ts';
import { evaluateBody, kbParams, searchBody, searchQuery } from './inputs.ts';
import { evaluation, searchHit } from './schema.ts';
import type { makeEvaluate } from './search/evaluate.ts';
import type { KbSearch } from './search/search.ts';

const tag = 'Knowledge bases';
const at = '/v1/knowledge-bases/{knowledge_base_id}';

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
  defineRoute({
    route: `POST ${at}/search`,
    summary: 'Search a knowledge base; explain says how each passage got its place',
    tag,
    permission: 'kbs_query',
    params: kbParams,
    query: searchQuery,
    body: searchBody,
    example: { query: 'How many days of leave are there?', top_k: 5 },
    answer: z.array(searchHit),
    handler: async (scope, { params, query, body }) => {
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
      return search(scope, params.knowledge_base_id, { ...wanted, query: asked }, openly);
    },
  }),
  defineRoute({
    route: `POST ${at}/evaluate`,
    summary: 'Ask questions whose documents are known: recall, nDCG and MRR, also for settings on trial',
    tag,
    permission: 'kbs_advanced',
    params: kbParams,
    body: evaluateBody,
    example: {
      questions: [
        { query: 'How many days of leave are there?', document_ids: ['01900000-0000-7000-8000-000000000000'] },
      ],
    },
    answer: evaluation,
    handler: (scope, { params, body }) => evaluate(scope, params.knowledge_base_id, body),
  }),
];
