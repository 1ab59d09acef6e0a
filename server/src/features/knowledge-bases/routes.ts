import { done, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import type { Bases } from './bases.ts';
import { kbCreate, kbParams, kbPatch, kbQuery } from './inputs.ts';
import { kbPage, knowledgeBase } from './schema.ts';

const tag = 'Knowledge bases';
const at = '/v1/knowledge-bases';

export const baseRoutes = (bases: Bases): Route[] => [
  defineRoute({
    route: `GET ${at}`,
    summary: 'List the knowledge bases of the workspace, newest first',
    tag,
    permission: 'kbs_query',
    query: kbQuery,
    answer: kbPage,
    handler: (scope, { query }) => bases.list(scope, query),
  }),
  defineRoute({
    route: `POST ${at}`,
    summary: 'Create a knowledge base',
    tag,
    permission: 'kbs_edit',
    body: kbCreate,
    example: { name: 'Handbook', description: 'How we work', settings_: { retrieval_top_k: 10 } },
    answer: knowledgeBase,
    handler: (scope, { body }) => bases.create(scope, body),
  }),
  defineRoute({
    route: `GET ${at}/{knowledge_base_id}`,
    summary: 'Get a knowledge base, with counts, progress and health',
    tag,
    permission: 'kbs_query',
    params: kbParams,
    answer: knowledgeBase,
    handler: (scope, { params }) => bases.get(scope, params.knowledge_base_id),
  }),
  defineRoute({
    route: `PATCH ${at}/{knowledge_base_id}`,
    summary: 'Change a knowledge base; settings_ merges by key',
    tag,
    permission: 'kbs_edit',
    params: kbParams,
    body: kbPatch,
    example: { settings_: { retrieval_top_k: 7 } },
    answer: knowledgeBase,
    handler: (scope, { params, body }) => bases.update(scope, params.knowledge_base_id, body),
  }),
  defineRoute({
    route: `DELETE ${at}/{knowledge_base_id}`,
    summary: 'Delete a knowledge base with its documents, their files and its index',
    tag,
    permission: 'kbs_delete',
    params: kbParams,
    answer: success,
    handler: async (scope, { params }) => {
      await bases.remove(scope, params.knowledge_base_id);
      return done;
    },
  }),
];
