import dagre from '@dagrejs/dagre';
import { gap, stepSize } from './graph-types.ts';
import type { LayoutAnswer, LayoutQuestion } from './lay-out.ts';

self.onmessage = ({ data: { nodes, edges } }: MessageEvent<LayoutQuestion>) => {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', ranksep: gap.x - stepSize.width, nodesep: gap.y - stepSize.height });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of nodes) graph.setNode(id, { ...stepSize });
  const known = new Set(nodes);
  for (const [from, to] of edges) if (known.has(from) && known.has(to) && from !== to) graph.setEdge(from, to);
  dagre.layout(graph);
  const answer: LayoutAnswer = nodes.map((id) => {
    const { x, y } = graph.node(id);
    return [id, { x: Math.round(x - stepSize.width / 2), y: Math.round(y - stepSize.height / 2) }];
  });
  self.postMessage(answer);
};
