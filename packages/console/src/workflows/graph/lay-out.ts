import type { Graph, Position } from './graph-types.ts';

/** What the worker is sent, and what it answers. */
export interface LayoutQuestion {
  nodes: readonly string[];
  edges: readonly (readonly [from: string, to: string])[];
}
export type LayoutAnswer = readonly (readonly [id: string, position: Position])[];

/** Places for all steps so that values flow from left to right. Computed in a worker: large graphs take seconds. */
export function layOut({ nodes, edges }: Graph): Promise<Map<string, Position>> {
  const worker = new Worker(new URL('./lay-out.worker.ts', import.meta.url), { type: 'module' });
  const question: LayoutQuestion = {
    nodes: nodes.map(({ id }) => id),
    edges: edges.map(({ from_id, to_id }) => [from_id.node_id, to_id.node_id]),
  };
  return new Promise<Map<string, Position>>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => resolve(new Map(data));
    worker.onerror = () => reject(new Error('The layout could not be computed'));
    worker.postMessage(question);
  }).finally(() => worker.terminate());
}
