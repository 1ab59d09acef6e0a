import { conflict, invalid, notFound } from '@atrium/contract/errors.ts';
import type { McpAccept, McpTool, McpToolQuery } from '@atrium/contract/mcp/schema.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Database, Db } from '../../../db/database.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import { withActors } from '../../actors/service.ts';
import { findServer } from '../store.ts';
import * as store from './tool-store.ts';

export interface ToolStates {
  list(scope: Scope, id: string, query: McpToolQuery): Promise<Paged<McpTool>>;
  /** Accepts the tools that are held back: all, or the named ones. */
  accept(scope: Scope, id: string, input: McpAccept): Promise<void>;
}

const presentState = (row: store.ToolRow) => {
  const { name, hash, changed_hash, first_seen_at, changed_at, accepted_at, accepted_by } = row;
  const state = changed_hash === null ? 'accepted' : hash === null ? 'new' : 'changed';
  return { name, state, first_seen_at, changed_at, accepted_at, accepted_by } as const;
};

/** The states of tools of any servers, with who accepted them, by server. */
export async function presentToolStates(on: Db, scope: Scope, rows: readonly store.ToolRow[]) {
  const states = await withActors(on, scope, rows.map(presentState), 'accepted_by');
  return Map.groupBy(states, (_, at) => required(rows[at]).server_id);
}

const shownDefinition = (digest: string | null, text: string | null): McpTool['held'] =>
  digest === null || text === null ? null : { digest, ...JSON.parse(text) };

const shown = (row: store.DefinitionRow) => ({
  ...presentState(row),
  accepted: shownDefinition(row.hash, row.definition),
  held: shownDefinition(row.changed_hash, row.held_definition),
});

/** Lists the tools of servers with their states, and accepts those that are held back. */
export function makeToolStates({ db }: { db: Database }): ToolStates {
  return {
    async list(scope: Scope, id: string, query: McpToolQuery): Promise<Paged<McpTool>> {
      const { workspace_id } = scope;
      if (!(await findServer(db, workspace_id, id))) throw notFound('MCP server');
      const window = pageOf(query);
      const { rows, total, last } = await store.definitionsOf(db, workspace_id, id, query.state, window);
      return pageAnswer(await withActors(db, scope, rows.map(shown), 'accepted_by'), total, window, last);
    },

    async accept(scope: Scope, id: string, { tools, digests }: McpAccept): Promise<void> {
      const { workspace_id, actor } = scope;
      // The answer is read after the transaction, so the transaction returns nothing and is not the one that records it
      // for repeated requests.
      await db.transaction(scope, async (tx) => {
        if ((await store.lockMet(tx, workspace_id, id)) === undefined) throw notFound('MCP server');
        const known = new Map((await store.toolsOf(tx, workspace_id, [id])).map((row) => [row.name, row]));
        for (const [at, name] of (tools ?? []).entries())
          if (!known.has(name)) throw invalid(['body', 'tools', String(at)], 'it has no such tool', name);
        for (const [name, digest] of Object.entries(digests ?? {})) {
          const row = known.get(name);
          if (!row) throw invalid(['body', 'digests', name], 'it has no such tool', digest);
          // The server changed the tool again after the user looked at it.
          if ((row.changed_hash ?? row.hash) !== digest)
            throw conflict(`The tool ${name} is not what was looked at`, 'tool_changed');
        }
        const names = tools ?? (digests ? Object.keys(digests) : [...known.keys()]);
        await store.acceptTools(tx, workspace_id, id, { names, by: actor.id });
      });
    },
  };
}
