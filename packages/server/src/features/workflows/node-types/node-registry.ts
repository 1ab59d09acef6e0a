import type { NodeType } from './define-node.ts';
import { entryOf } from './node-catalogue.ts';

/** The nodes that there are, by their type. */
export function makeNodeRegistry(nodes: readonly NodeType[]) {
  const byType = new Map<string, NodeType>();
  for (const node of nodes) {
    if (byType.has(node.type)) throw new Error(`There are two nodes of the type ${node.type}`);
    byType.set(node.type, node);
  }
  return {
    get: (type: string) => byType.get(type),
    /** The catalogue as it is sent; it does not change while the program runs. */
    text: JSON.stringify(nodes.map(entryOf)),
  };
}

export type NodeRegistry = ReturnType<typeof makeNodeRegistry>;
