import { operation } from '../operation.ts';
import { deleted } from '../uses/schema.ts';
import { kbCreate, kbParams, kbPatch, kbQuery } from './inputs.ts';
import { knowledgeBasesRoutes } from './routes.ts';
import { kbPage, knowledgeBase } from './schema.ts';

const tag = 'Knowledge bases';

export const listKnowledgeBases = operation({
  id: 'knowledgeBases.list',
  route: knowledgeBasesRoutes['knowledgeBases.list'],
  summary: 'List the knowledge bases of the workspace',
  description:
    'Returns the knowledge bases of the workspace page by page, newest first, with the counts of their documents. To keep the list fast, `health` does not look at the index itself; get one knowledge base for that.',
  tag,
  permission: 'kbs_query',
  query: kbQuery,
  answer: kbPage,
});

export const createKnowledgeBase = operation({
  id: 'knowledgeBases.create',
  route: knowledgeBasesRoutes['knowledgeBases.create'],
  summary: 'Create a knowledge base',
  description:
    'Creates an empty knowledge base. Settings that are not given have their defaults; documents are added by upload, from stored files or web addresses, or by crawling a site.',
  tag,
  permission: 'kbs_edit',
  body: kbCreate,
  example: { name: 'Handbook', description: 'How we work', settings_: { retrieval_top_k: 10 } },
  answer: knowledgeBase,
});

export const getKnowledgeBase = operation({
  id: 'knowledgeBases.get',
  route: knowledgeBasesRoutes['knowledgeBases.get'],
  summary: 'Get a knowledge base',
  description:
    'Returns a knowledge base with the counts and progress of its documents. `health` includes a look at the index and says whether a reindex is needed.',
  tag,
  permission: 'kbs_query',
  params: kbParams,
  answer: knowledgeBase,
});

export const updateKnowledgeBase = operation({
  id: 'knowledgeBases.update',
  route: knowledgeBasesRoutes['knowledgeBases.update'],
  summary: 'Update a knowledge base',
  description:
    'Changes the given fields and keeps the others; `settings_` is merged by key. Another embedding model or dimension starts a rebuild of the index; a change of settings that documents are trained by marks the knowledge base as needing a reindex.',
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
  summary: 'Delete a knowledge base',
  description:
    'Deletes a knowledge base with its documents, the files and images that were uploaded for them, the tables made of them, and its index. Agents that use it no longer find anything in it. This cannot be undone.',
  tag,
  permission: 'kbs_delete',
  params: kbParams,
  answer: deleted,
});

export const knowledgeBasesOperations = [
  listKnowledgeBases,
  createKnowledgeBase,
  getKnowledgeBase,
  updateKnowledgeBase,
  deleteKnowledgeBase,
];
