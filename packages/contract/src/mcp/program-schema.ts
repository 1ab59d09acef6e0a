import * as z from 'zod';
import * as s from '../schema/schema.ts';

const givers = ['operator', 'administrator'] as const;
const name = z.string().describe("The name of the program in the operator's file; settings of agents refer to it.");
const givenBy =
  "`operator` when the operator's file names the workspace, `administrator` when a key with `org:admin` gave it the program.";

export const mcpProgram = z
  .strictObject({ name, given_by: z.enum(givers).describe(givenBy) })
  .meta({ id: 'McpProgram' });

export const mcpProgramGrant = z
  .strictObject({
    name,
    given_by: z.enum(givers).nullable().describe(`${givenBy} Null when the workspace does not have it.`),
  })
  .meta({ id: 'McpProgramGrant' });

export const mcpProgramsPut = s
  .object({
    names: s
      .list(s.str({ pattern: /^[\w.-]{1,100}$/ }), { max: 1000 })
      .describe('The names of all programs that an administrator gives the workspace; others are taken away.'),
  })
  .meta({ id: 'McpProgramsPut' });
export const mcpProgramsParams = s.object({ group_id: s.uuid('workspace').describe('The id of the workspace.') });

export type McpProgram = z.output<typeof mcpProgram>;
export type McpProgramGrant = z.output<typeof mcpProgramGrant>;
export type McpProgramsPut = z.output<typeof mcpProgramsPut>;
