import { entryOf } from './catalogue.ts';
import type { NodeType } from './node.ts';

/** The nodes that there are, by their type. */
export function makeNodeRegistry(nodes: readonly NodeType[]) {
  const byType = new Map<string, NodeType>();
  for (const node of nodes) {
    if (byType.has(node.type)) throw new Error(`There are two nodes of the type ${node.type}`);
    byType.set(node.type, node);
  }
  const catalogue = nodes.map(entryOf);
  return { get: (type: string) => byType.get(type), catalogue };
}

export type NodeRegistry = ReturnType<typeof makeNodeRegistry>;
