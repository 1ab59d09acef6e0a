import type { Database } from '../../../db/database.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';
import * as store from '../store.ts';
import { definitionShape } from './definition-shape.ts';
import { compile, type Graph } from './graph.ts';

const mostKept = 500;

/** Graphs in the form they are run in. They never change, so those that are used are kept. */
export function makeGraphCache({ db, nodes }: { db: Database; nodes: NodeRegistry }) {
  const kept = new Map<string, Promise<Graph>>();

  async function load(workspace_id: string, graph_id: string): Promise<Graph> {
    const row = await store.findGraph(db, workspace_id, graph_id);
    if (!row) throw new Error('The graph of a run is gone');
    return compile(definitionShape.parse(JSON.parse(row.definition)), nodes, row);
  }

  return (workspace_id: string, graph_id: string): Promise<Graph> => {
    const known = kept.get(graph_id) ?? load(workspace_id, graph_id);
    // The one that was used last is the last to go.
    kept.delete(graph_id);
    kept.set(graph_id, known);
    known.catch(() => kept.delete(graph_id));
    if (kept.size > mostKept) kept.delete(kept.keys().next().value as string);
    return known;
  };
}

export type Graphs = ReturnType<typeof makeGraphCache>;
