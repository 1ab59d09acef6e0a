import { createEmbeddings } from '@atrium/contract/completions/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { CreateEmbeddings } from './create-embeddings.ts';

export const embeddingRoutes = (create: CreateEmbeddings): Route[] => [
  handle(createEmbeddings, (scope, { body }) => create(scope, body)),
];
