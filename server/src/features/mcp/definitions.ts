import { hash } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import type { McpTool } from '../../drivers/mcp/driver.ts';
import * as store from './store.ts';

export type Definitions = ReturnType<typeof makeDefinitions>;

/** The same value as the same text, in whatever order a server likes to write its keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}

/** Of all that a model is told of a tool. */
const hashOf = ({ description, input_schema }: McpTool) => hash('sha256', canonical([description, input_schema]));

/**
 * What tools were when they were first seen. A server that shows a harmless tool to be accepted and another one later
 * is found out: the later one is told to no model until a person has accepted it.
 */
export function makeDefinitions({ db }: { db: Database }) {
  return {
    /** The names of those that are not what they were. */
    async changed(workspace_id: string, server_id: string, tools: readonly McpTool[]): Promise<ReadonlySet<string>> {
      const known = new Map((await store.toolsOf(db, workspace_id, [server_id])).map((row) => [row.name, row]));
      const hashes = new Map(tools.map((tool) => [tool.name, hashOf(tool)]));
      const news = [...hashes].filter(([name]) => !known.has(name)).map(([name, hash]) => ({ name, hash }));
      if (news.length) await store.insertTools(db, workspace_id, server_id, news);
      const changed = new Set<string>();
      for (const [name, seen] of hashes) {
        const row = known.get(name);
        if (!row) continue;
        const other = seen === row.hash ? null : seen;
        if (other) changed.add(name);
        if (other !== row.changed_hash) await store.markTool(db, workspace_id, server_id, name, other);
      }
      return changed;
    },
  };
}
