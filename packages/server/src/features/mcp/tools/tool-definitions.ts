import { hash } from 'node:crypto';
import type { Database, Db } from '../../../db/database.ts';
import { publishEvents } from '../../../db/outbox.ts';
import type { McpTool } from '../../../drivers/mcp/driver.ts';
import * as store from './tool-store.ts';

export interface Definitions {
  /**
   * Records the tools of a server and returns those that are held back, by name. `tools` must be all tools of the
   * server: one that is left out now would count as new later.
   */
  held(workspace_id: string, server_id: string, tools: readonly McpTool[]): Promise<ReadonlyMap<string, Held>>;
}

/** Why a tool is held back: its definition changed, or it appeared after the first contact. */
export type Held = 'changed' | 'new';

/** Serializes a value so that equal values give equal texts, in any order of keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}

/** The digest covers everything that a model reads about a tool. */
const seenTool = ({ name, description, input_schema }: McpTool): store.SeenTool => ({
  name,
  hash: hash('sha256', canonical([description, input_schema])),
  definition: JSON.stringify({ description, input_schema }),
});

/** The tools whose definition differs from the accepted one. */
function heldOf(seen: readonly store.SeenTool[], known: ReadonlyMap<string, store.ToolRow>): Map<string, Held> {
  const held = new Map<string, Held>();
  for (const { name, hash } of seen) {
    const row = known.get(name);
    if (!row || row.hash === null) held.set(name, 'new');
    else if (row.hash !== hash) held.set(name, 'changed');
  }
  return held;
}

/** Whether the rows already describe the tools as they are now. */
const isNoted = (seen: readonly store.SeenTool[], known: ReadonlyMap<string, store.ToolRow>) =>
  seen.every(({ name, hash }) => {
    const row = known.get(name);
    return row !== undefined && row.changed_hash === (row.hash === hash ? null : hash);
  });

/**
 * Records the definitions of tools when they are accepted. Tools of the first contact are accepted. A server that shows
 * harmless tools first and others later is detected: a new or changed tool is hidden from models until a user accepts
 * it.
 */
export function makeDefinitions({ db }: { db: Database }): Definitions {
  const knownOf = async (from: Db, workspace_id: string, id: string) =>
    new Map((await store.toolsOf(from, workspace_id, [id])).map((row) => [row.name, row]));

  /** Locks the server and compares again, since another node may have recorded the same change. */
  const note = (workspace_id: string, server_id: string, seen: readonly store.SeenTool[]) =>
    db.transaction(undefined, async (tx): Promise<Map<string, Held>> => {
      const met = await store.lockMet(tx, workspace_id, server_id);
      if (met === undefined) return new Map();
      const known = await knownOf(tx, workspace_id, server_id);
      const news = seen.filter(({ name }) => !known.has(name));
      if (news.length) await store.insertTools(tx, workspace_id, server_id, news, { accepted: !met });
      if (!met) {
        await store.markMet(tx, workspace_id, server_id);
        return new Map();
      }
      const told = new Set(news.map(({ name }) => name));
      for (const tool of seen) {
        const row = known.get(tool.name);
        if (!row || row.changed_hash === (row.hash === tool.hash ? null : tool.hash)) continue;
        if (row.hash === tool.hash) await store.releaseTool(tx, workspace_id, server_id, tool);
        else {
          await store.holdTool(tx, workspace_id, server_id, tool);
          told.add(tool.name);
        }
      }
      const held = heldOf(seen, known);
      if (told.size)
        await publishEvents(tx, workspace_id, {
          ...{ event: 'mcp_server.tools_held', subject_id: server_id, cause: null },
          data: { mcp_server_id: server_id, tools: [...told].map((name) => ({ name, state: held.get(name) })) },
        });
      return held;
    });

  return {
    async held(workspace_id: string, server_id: string, tools: readonly McpTool[]): Promise<ReadonlyMap<string, Held>> {
      if (tools.length === 0) return new Map();
      const seen = tools.map(seenTool);
      const known = await knownOf(db, workspace_id, server_id);
      return isNoted(seen, known) ? heldOf(seen, known) : note(workspace_id, server_id, seen);
    },
  };
}
