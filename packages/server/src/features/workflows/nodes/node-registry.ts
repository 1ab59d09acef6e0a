import { catalogueEntryOf } from '@atrium/contract/workflows/node-types/catalogue-entry.ts';
import type { ExecutableNode } from './define-node.ts';

export interface NodeRegistry {
  get(type: string): ExecutableNode | undefined;
  /** The catalogue as JSON text; it does not change while the process runs. */
  catalogue: string;
}

/** The nodes of this process by their type. */
export function makeNodeRegistry(nodes: readonly ExecutableNode[]): NodeRegistry {
  const byType = new Map<string, ExecutableNode>();
  for (const node of nodes) {
    if (byType.has(node.type)) throw new Error(`There are two nodes of the type ${node.type}`);
    byType.set(node.type, node);
  }
  return {
    get: (type) => byType.get(type),
    catalogue: JSON.stringify(nodes.map(catalogueEntryOf)),
  };
}
