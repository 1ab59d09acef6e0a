import { type Graph, type GraphNode, isBack, type Region } from '../definition/graph.ts';

/**
 * The graph of a run of one node that stands inside of a loop: the node itself and the pinned nodes that lead to it, without
 * the loops around them. `pinned`: the nodes whose outputs are given.
 */
export function isolateStep(graph: Graph, id: string, pinned: ReadonlySet<string>): Graph {
  const region: Region = { loop: undefined, nodes: [] };
  const copies = new Map<string, GraphNode>();
  for (const node of graph.nodes.values()) {
    if (node.id !== id && !pinned.has(node.id)) continue;
    const copy = { ...node, region, place: region.nodes.length, waits: 0, caught: false };
    Object.assign(copy, { incoming: [], outgoing: [], followers: [] });
    region.nodes.push(copy);
    copies.set(node.id, copy);
  }
  const to = copies.get(id);
  for (const edge of graph.nodes.get(id)?.incoming ?? []) {
    const from = copies.get(edge.from.id);
    if (!from || !to || isBack(edge)) continue;
    const copy = { ...edge, from, to };
    from.outgoing.push(copy);
    to.incoming.push(copy);
    from.followers.push(to);
    to.waits++;
  }
  return { ...graph, top: region, handlers: [] };
}
