import { addPassage, deletePassage, updatePassage } from '@atrium/contract/knowledge-bases/passage-operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { Passages } from './passages.ts';

export const passageRoutes = (passages: Passages): Route[] => [
  handle(addPassage, (scope, { params, body }) =>
    passages.add(scope, params.knowledge_base_id, params.document_id, body),
  ),
  handle(updatePassage, (scope, { params, body }) =>
    passages.update(scope, params.knowledge_base_id, params.chunk_id, body),
  ),
  handle(deletePassage, async (scope, { params }) => {
    await passages.remove(scope, params.knowledge_base_id, params.chunk_id);
    return done;
  }),
];
