import {
  createKnowledgeBase,
  deleteKnowledgeBase,
  getKnowledgeBase,
  listKnowledgeBases,
  updateKnowledgeBase,
} from '@atrium/contract/knowledge-bases/operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { KnowledgeBases } from './service.ts';

export const baseRoutes = (bases: KnowledgeBases): Route[] => [
  handle(listKnowledgeBases, (scope, { query }) => bases.list(scope, query)),
  handle(createKnowledgeBase, (scope, { body }) => bases.create(scope, body)),
  handle(getKnowledgeBase, (scope, { params }) => bases.get(scope, params.knowledge_base_id)),
  handle(updateKnowledgeBase, (scope, { params, body }) => bases.update(scope, params.knowledge_base_id, body)),
  handle(deleteKnowledgeBase, async (scope, { params }) => {
    await bases.remove(scope, params.knowledge_base_id);
    return done;
  }),
];
