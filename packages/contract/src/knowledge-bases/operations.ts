import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { kbCreate, kbParams, kbPatch, kbQuery } from './inputs.ts';
import { knowledgeBasesRoutes } from './routes.ts';
import { kbPage, knowledgeBase } from './schema.ts';

const tag = 'Knowledge bases';

export const listKnowledgeBases = operation({
  id: 'knowledgeBases.list',
  route: knowledgeBasesRoutes['knowledgeBases.list'],
  summary: 'List the knowledge bases of the workspace, newest first',
  tag,
  permission: 'kbs_query',
  query: kbQuery,
  answer: kbPage,
});

export const createKnowledgeBase = operation({
  id: 'knowledgeBases.create',
  route: knowledgeBasesRoutes['knowledgeBases.create'],
  summary: 'Create a knowledge base',
  tag,
  permission: 'kbs_edit',
  body: kbCreate,
  example: { name: 'Handbook', description: 'How we work', settings_: { retrieval_top_k: 10 } },
  answer: knowledgeBase,
});

export const getKnowledgeBase = operation({
  id: 'knowledgeBases.get',
  route: knowledgeBasesRoutes['knowledgeBases.get'],
  summary: 'Get a knowledge base, with counts, progress and health',
  tag,
  permission: 'kbs_query',
  params: kbParams,
  answer: knowledgeBase,
});

export const updateKnowledgeBase = operation({
  id: 'knowledgeBases.update',
  route: knowledgeBasesRoutes['knowledgeBases.update'],
  summary: 'Change a knowledge base; settings_ merges by key',
  tag,
  permission: 'kbs_edit',
  params: kbParams,
  body: kbPatch,
  example: { settings_: { retrieval_top_k: 7 } },
  answer: knowledgeBase,
});

export const deleteKnowledgeBase = operation({
  id: 'knowledgeBases.delete',
  route: knowledgeBasesRoutes['knowledgeBases.delete'],
  summary: 'Delete a knowledge base with its documents, their files and its index',
  tag,
  permission: 'kbs_delete',
  params: kbParams,
  answer: success,
});

export const knowledgeBasesOperations = [
  listKnowledgeBases,
  createKnowledgeBase,
  getKnowledgeBase,
  updateKnowledgeBase,
  deleteKnowledgeBase,
];
