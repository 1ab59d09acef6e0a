import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { ToolCall } from '../../tools/ports.ts';
import { ToolError } from '../../tools/service.ts';
import type { AnyTable, Tables } from '../service.ts';
import type { ColumnRow } from '../store.ts';
import type { ToolTable } from './describe-tables.ts';

/** The tables that the settings give to an agent. */
export interface AgentTables {
  all: readonly ToolTable[];
  writable: readonly ToolTable[];
  /** Throws an error for the model when the agent has no table of this SQL name. */
  get(sql_name: string): ToolTable;
  /** Whether the table may hold text of strangers that the author of the agent does not vouch for. */
  isUntrusted(scope: Scope, table: ToolTable): Promise<boolean>;
  /**
   * Taints the run if a table may hold untrusted text. Called after reading, so that a row and its mark fit together.
   */
  noteRead(scope: Scope, sql_names: Iterable<string>, call: ToolCall): Promise<void>;
}

const shapeOf = (
  found: AnyTable,
): { id: string; sql_name: string; name: string; description: string | null; columns: ColumnRow[] } =>
  found.source === 'custom' ? found.row : found.table;

/** Shows refused requests to the model, which may have misspelt a column. */
export async function explainToModel<T>(work: Promise<T>, { begun = true } = {}): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof InvalidRequest)
      throw new ToolError(
        error.validationErrors.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; '),
        { begun },
      );
    if (error instanceof AppError) throw new ToolError(error.message, { begun });
    throw error;
  }
}

/** Finds the existing tables of the settings; undefined when there are none. */
export async function findAgentTables(
  scope: Scope,
  settings: Settings,
  tables: Pick<Tables, 'find'>,
): Promise<AgentTables | undefined> {
  const named = new Map<string, ToolTable>();
  for (const entry of settings.tables) {
    const written = typeof entry === 'string' ? { id: entry } : entry;
    const { id, enabled = true, access = 'read', trusted = false } = written;
    if (!enabled) continue;
    try {
      const found = await tables.find(scope, id.toLowerCase());
      const shape = shapeOf(found);
      const writes = access === 'write' && found.source === 'custom';
      const id_type = found.source === 'custom' ? found.row.id_type : 'uuid';
      named.set(shape.sql_name, { ...shape, id_type, writes, trusted, entry: written });
    } catch (error) {
      // The table was deleted or the caller may not read it: the agent works without it.
      if (!(error instanceof AppError && error.kind === 'not_found')) throw error;
    }
  }
  if (named.size === 0) return undefined;
  const all = [...named.values()];

  function get(sql_name: string): ToolTable {
    const table = named.get(sql_name);
    if (!table) throw new ToolError(`There is no table ${sql_name} here`, { begun: false });
    return table;
  }

  async function isUntrusted(own: Scope, { id, trusted }: ToolTable): Promise<boolean> {
    if (trusted) return false;
    const found = await explainToModel(tables.find(own, id));
    // Platform tables hold messages of users, which are untrusted.
    return found.source === 'platform' || found.row.untrusted;
  }

  return {
    all,
    writable: all.filter(({ writes }) => writes),
    get,
    isUntrusted,
    async noteRead(own, sql_names, call) {
      for (const name of new Set(sql_names)) if (await isUntrusted(own, get(name))) call.brings('untrusted');
    },
  };
}
