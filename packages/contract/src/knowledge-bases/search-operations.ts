import { z } from 'zod';
import { operation } from '../operation.ts';
import { evaluateBody, kbParams, searchBody, searchQuery } from './inputs.ts';
import { knowledgeBasesRoutes } from './routes.ts';
import { evaluation, searchHit } from './schema.ts';

const tag = 'Knowledge bases';

export const searchKnowledgeBase = operation({
  id: 'knowledgeBases.search',
  route: knowledgeBasesRoutes['knowledgeBases.search'],
  summary: 'Search a knowledge base; explain says how each passage got its place',
  tag,
  permission: 'kbs_query',
  params: kbParams,
  query: searchQuery,
  body: searchBody,
  example: { query: 'How many days of leave are there?', top_k: 5 },
  answer: z.array(searchHit),
});

export const evaluateKnowledgeBase = operation({
  id: 'knowledgeBases.evaluate',
  route: knowledgeBasesRoutes['knowledgeBases.evaluate'],
  summary: 'Ask questions whose documents are known: recall, nDCG and MRR, also for settings on trial',
  tag,
  permission: 'kbs_advanced',
  params: kbParams,
  body: evaluateBody,
  example: {
    questions: [{ query: 'How many days of leave are there?', document_ids: ['01900000-0000-7000-8000-000000000000'] }],
  },
  answer: evaluation,
});

export const searchOperations = [searchKnowledgeBase, evaluateKnowledgeBase];
