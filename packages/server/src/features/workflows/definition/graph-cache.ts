import type { Database } from '../../../db/database.ts';
import { LruCache } from '../../../lib/lru-cache.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';
import * as store from '../store.ts';
import { definitionShape } from './definition-shape.ts';
import { compile, type Graph } from './graph.ts';

const mostKept = 500;

/** Compiled graphs by id. A stored graph never changes, so the last used ones are kept in memory. */
export function makeGraphCache({ db, nodes }: { db: Database; nodes: NodeRegistry }): GraphCache {
  const kept = new LruCache<string, Promise<Graph>>({ max: mostKept });

  async function load(workspace_id: string, graph_id: string): Promise<Graph> {
    const row = await store.findGraph(db, workspace_id, graph_id);
    if (!row) throw new Error('The graph of a run is gone');
    return compile(definitionShape.parse(JSON.parse(row.definition)), nodes, row);
  }

  return (workspace_id: string, graph_id: string): Promise<Graph> => {
    const known = kept.get(graph_id) ?? load(workspace_id, graph_id);
    kept.set(graph_id, known);
    // A failed load is not cached; the caller gets its error.
    known.catch(() => kept.delete(graph_id));
    return known;
  };
}

export type GraphCache = (workspace_id: string, graph_id: string) => Promise<Graph>;
