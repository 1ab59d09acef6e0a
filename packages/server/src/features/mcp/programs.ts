import { invalid } from '@atrium/contract/errors.ts';
import type { McpProgram, McpProgramGrant, McpProgramsPut } from '@atrium/contract/mcp/program-schema.ts';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { McpServerError, type McpTarget } from '../../drivers/mcp/driver.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Workspaces } from '../workspaces/service.ts';

type Program = Extract<McpTarget, { kind: 'program' }>;

/** A program of the operator's file, and the workspaces that the file itself gives it to. */
export type OperatorPrograms = ReadonlyMap<string, { target: Program; workspaces: readonly string[] }>;
export type McpPrograms = ReturnType<typeof makeMcpPrograms>;

const notGiven =
  'no such program was given to this workspace; a key with org:admin gives it one by PUT ' +
  '/v1/admin/groups/{group_id}/mcp-programs';

const grantsOf = async (db: Db, workspace_id: string) =>
  new Set(
    (
      await db.rows<{ name: string }>(sql`select name from mcp_program_grants where workspace_id = ${workspace_id}`)
    ).map(({ name }) => name),
  );

/** Programs run with the rights of this process, so a workspace can use only those that it was given. */
export function makeMcpPrograms({
  db,
  programs,
  workspaces,
}: {
  db: Database;
  programs: OperatorPrograms;
  workspaces: Pick<Workspaces, 'get'>;
}) {
  async function given(from: Db, workspace_id: string): Promise<McpProgramGrant[]> {
    if (programs.size === 0) return [];
    const byAdministrator = await grantsOf(from, workspace_id);
    return [...programs].map(([name, program]) => {
      const byOperator = program.workspaces.some((id) => id === '*' || id.toLowerCase() === workspace_id);
      return { name, given_by: byOperator ? 'operator' : byAdministrator.has(name) ? 'administrator' : null };
    });
  }

  const namesGiven = async (workspace_id: string) =>
    new Set((await given(db, workspace_id)).filter(({ given_by }) => given_by).map(({ name }) => name));

  return {
    /** Those that agents of the caller's workspace may use. */
    async list({ workspace_id }: Scope): Promise<McpProgram[]> {
      const all = await given(db, workspace_id);
      return all.flatMap(({ name, given_by }) => (given_by === null ? [] : [{ name, given_by }]));
    },

    /** All that the operator has set up, and whether a workspace has them. */
    async grants(scope: Scope, workspace_id: string): Promise<McpProgramGrant[]> {
      const { id } = await workspaces.get(scope, workspace_id);
      return given(db, id);
    },

    /** The workspace has these from then on, besides those that the operator's file gives it. */
    async give(scope: Scope, workspace_id: string, { names }: McpProgramsPut): Promise<McpProgramGrant[]> {
      const { id } = await workspaces.get(scope, workspace_id);
      for (const [index, name] of names.entries())
        if (!programs.has(name))
          throw invalid(['body', 'names', String(index)], 'the file in ATRIUM_MCP_CONFIG has no such program', name);
      return db.transaction(scope, async (tx) => {
        await tx.run(
          sql`delete from mcp_program_grants where workspace_id = ${id} and not name = any(${names}::text[])`,
        );
        await tx.run(sql`
          insert into mcp_program_grants (workspace_id, name, given_by)
          select ${id}, name, ${scope.actor.id} from unnest(${names}::text[]) as name
          on conflict (workspace_id, name) do nothing`);
        return given(tx, id);
      });
    },

    /** Which of these names settings may hold in the caller's workspace. */
    usable: async ({ workspace_id }: Scope, names: readonly string[]) => {
      const all = await namesGiven(workspace_id);
      return new Set(names.filter((name) => all.has(name)));
    },

    /** Checked at every start: the program may have been taken away since the settings were saved. */
    async targetOf(workspace_id: string, name: string): Promise<Program> {
      const program = programs.get(name);
      if (!program || !(await namesGiven(workspace_id)).has(name)) throw new McpServerError('unreachable', notGiven);
      return program.target;
    },
  };
}
