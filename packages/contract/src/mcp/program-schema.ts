import { z } from 'zod';
import * as s from '../schema/schema.ts';

/** `operator`: the operator's own file names the workspace. */
const givers = ['operator', 'administrator'] as const;

export const mcpProgram = z.strictObject({ name: z.string(), given_by: z.enum(givers) }).meta({ id: 'McpProgram' });

export const mcpProgramGrant = z
  .strictObject({
    name: z.string(),
    /** Null: the workspace does not have it. */
    given_by: z.enum(givers).nullable(),
  })
  .meta({ id: 'McpProgramGrant' });

export const mcpProgramsPut = s
  .object({ names: s.list(s.str({ pattern: /^[\w.-]{1,100}$/ }), { max: 1000 }) })
  .meta({ id: 'McpProgramsPut' });
export const mcpProgramsParams = s.object({ group_id: s.uuid('workspace') });

export type McpProgram = z.output<typeof mcpProgram>;
export type McpProgramGrant = z.output<typeof mcpProgramGrant>;
export type McpProgramsPut = z.output<typeof mcpProgramsPut>;
