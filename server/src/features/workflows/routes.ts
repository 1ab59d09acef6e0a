import { jsonText } from '../../lib/answer.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import type { NodeRegistry } from './registry.ts';
import { catalogue } from './schema.ts';

const tag = 'Workflows';

export const nodeRoutes = (nodes: NodeRegistry): Route[] => [
  defineRoute({
    route: 'GET /v1/nodes',
    summary: 'List the nodes that workflows are built of',
    tag,
    permission: 'any',
    answer: catalogue,
    handler: () => jsonText(nodes.text),
  }),
];
