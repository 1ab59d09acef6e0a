import * as z from 'zod';
import { operation } from '../operation.ts';
import { evaluateBody, kbParams, searchBody, searchQuery, tuneBody } from './inputs.ts';
import { knowledgeBasesRoutes } from './routes.ts';
import { evaluation, searchHit, tuning } from './schema.ts';

const tag = 'Knowledge bases';

export const searchKnowledgeBase = operation({
  id: 'knowledgeBases.search',
  route: knowledgeBasesRoutes['knowledgeBases.search'],
  summary: 'Search a knowledge base',
  description:
    'Returns the passages that answer a question best, best first, by the retrieval settings of the knowledge base. The answer is a plain list of at most `top_k` passages, without pages. With `explain`, passages below a threshold are listed too, each with its ranks and scores. `settings_` on trial count for this search only. Fails with 503 `index_unavailable` when the index is lost.',
  tag,
  permission: 'kbs_query',
  audit: { none: 'it changes nothing' },
  params: kbParams,
  query: searchQuery,
  body: searchBody,
  example: { query: 'How many days of leave are there?', top_k: 5 },
  answer: z.array(searchHit),
});

export const evaluateKnowledgeBase = operation({
  id: 'knowledgeBases.evaluate',
  route: knowledgeBasesRoutes['knowledgeBases.evaluate'],
  summary: 'Evaluate the search of a knowledge base',
  description:
    'Searches for questions whose documents are known and returns recall, nDCG and mean reciprocal rank. Use it to compare retrieval settings: `settings_` are used for this evaluation only and are not stored.',
  tag,
  permission: 'kbs_advanced',
  audit: { none: 'it changes nothing' },
  params: kbParams,
  body: evaluateBody,
  example: {
    questions: [{ query: 'How many days of leave are there?', document_ids: ['01900000-0000-7000-8000-000000000000'] }],
  },
  answer: evaluation,
});

export const tuneKnowledgeBase = operation({
  id: 'knowledgeBases.tune',
  route: knowledgeBasesRoutes['knowledgeBases.tune'],
  summary: 'Propose search settings for a knowledge base',
  description:
    'Compares search settings by questions whose documents are known (fusion, its weights, the weights of headings, proximity and freshness, relevance feedback) and proposes the best, with the figures before and after. Nothing is changed: store the proposal with PATCH. Only documents for everybody are searched, and no reranker is used. With an embedding model, each question is embedded once for each of the settings.',
  tag,
  permission: 'kbs_advanced',
  audit: { none: 'it changes nothing' },
  params: kbParams,
  body: tuneBody,
  example: {
    questions: [{ query: 'How many days of leave are there?', document_ids: ['01900000-0000-7000-8000-000000000000'] }],
  },
  answer: tuning,
});

export const searchOperations = [searchKnowledgeBase, evaluateKnowledgeBase, tuneKnowledgeBase];
