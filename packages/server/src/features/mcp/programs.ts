import { invalid } from '@atrium/contract/errors.ts';
import type { McpProgram, McpProgramGrant, McpProgramsPut } from '@atrium/contract/mcp/program-schema.ts';
import type { Database, Db } from '../../db/database.ts';
import { McpServerError, type McpTarget } from '../../drivers/mcp/driver.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Workspaces } from '../workspaces/service.ts';
import { listGrantedPrograms, replaceGrantedPrograms } from './program-store.ts';

type Program = Extract<McpTarget, { kind: 'program' }>;

/** The programs of the operator's file, each with the workspaces that the file gives it to. */
export type OperatorPrograms = ReadonlyMap<string, { target: Program; workspaces: readonly string[] }>;
export interface McpPrograms {
  /** Lists the programs that agents of the caller's workspace may use. */
  list(scope: Scope): Promise<McpProgram[]>;
  /** Lists all programs of the operator's file, and whether the workspace has them. */
  grants(scope: Scope, workspace_id: string): Promise<McpProgramGrant[]>;
  /** Sets the programs that the workspace has besides those that the operator's file gives it. */
  give(scope: Scope, workspace_id: string, input: McpProgramsPut): Promise<McpProgramGrant[]>;
  /** Which of these names settings in the caller's workspace may refer to. */
  usable(scope: Scope, names: readonly string[]): Promise<Set<string>>;
  /** Checked at every start, since the program may have been taken away after the settings were saved. */
  targetOf(workspace_id: string, name: string): Promise<Program>;
}

const notGiven =
  'no such program was given to this workspace; a key with org:admin gives it one by PUT ' +
  '/v1/admin/groups/{group_id}/mcp-programs';

/** Programs run with the rights of this process, so a workspace can use only those that it was given. */
export function makeMcpPrograms({
  db,
  programs,
  workspaces,
}: {
  db: Database;
  programs: OperatorPrograms;
  workspaces: Pick<Workspaces, 'get'>;
}): McpPrograms {
  async function given(from: Db, workspace_id: string): Promise<McpProgramGrant[]> {
    if (programs.size === 0) return [];
    const byAdministrator = await listGrantedPrograms(from, workspace_id);
    return [...programs].map(([name, program]) => {
      const byOperator = program.workspaces.some((id) => id === '*' || id.toLowerCase() === workspace_id);
      return { name, given_by: byOperator ? 'operator' : byAdministrator.has(name) ? 'administrator' : null };
    });
  }

  const namesGiven = async (workspace_id: string) =>
    new Set((await given(db, workspace_id)).filter(({ given_by }) => given_by).map(({ name }) => name));

  return {
    async list({ workspace_id }: Scope): Promise<McpProgram[]> {
      const all = await given(db, workspace_id);
      return all.flatMap(({ name, given_by }) => (given_by === null ? [] : [{ name, given_by }]));
    },

    async grants(scope: Scope, workspace_id: string): Promise<McpProgramGrant[]> {
      const { id } = await workspaces.get(scope, workspace_id);
      return given(db, id);
    },

    async give(scope: Scope, workspace_id: string, { names }: McpProgramsPut): Promise<McpProgramGrant[]> {
      const { id } = await workspaces.get(scope, workspace_id);
      for (const [index, name] of names.entries())
        if (!programs.has(name))
          throw invalid(['body', 'names', String(index)], 'the file in ATRIUM_MCP_CONFIG has no such program', name);
      return db.transaction(scope, async (tx) => {
        await replaceGrantedPrograms(tx, id, names, scope.actor.id);
        return given(tx, id);
      });
    },

    usable: async ({ workspace_id }: Scope, names: readonly string[]) => {
      const all = await namesGiven(workspace_id);
      return new Set(names.filter((name) => all.has(name)));
    },

    async targetOf(workspace_id: string, name: string): Promise<Program> {
      const program = programs.get(name);
      if (!program || !(await namesGiven(workspace_id)).has(name)) throw new McpServerError('unreachable', notGiven);
      return program.target;
    },
  };
}
