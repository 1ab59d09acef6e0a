import { errorHandlerNodeType } from '@atrium/contract/workflows/node-types/logic/error-handler.ts';
import { defineNode } from '../define-node.ts';

/**
 * Starts the nodes that run after a failure without an edge from `on_error`. Nodes that have not begun by then are
 * skipped. The engine provides its output; without a failure it is skipped with the nodes behind it.
 */
export const errorHandlerNode = defineNode(errorHandlerNodeType, async () => ({}));
