import { errorHandlerNodeType } from '@atrium/contract/workflows/node-types/logic/error-handler.ts';
import { defineNode } from '../define-node.ts';

/**
 * Begins what is done when a node fails whose own `on_error` leads nowhere. What was not begun by then is skipped. The
 * engine gives its output; in a run where nothing fails it is skipped with all that follows.
 */
export const errorHandlerNode = defineNode(errorHandlerNodeType, async () => ({}));
