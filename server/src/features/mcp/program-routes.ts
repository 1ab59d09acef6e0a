import { z } from 'zod';
import { defineRoute, type Route } from '../../lib/route.ts';
import { mcpProgram, mcpProgramGrant, mcpProgramsParams, mcpProgramsPut } from './program-schema.ts';
import type { McpPrograms } from './programs.ts';

const tag = 'MCP servers';

export const mcpProgramRoutes = (programs: McpPrograms): Route[] => [
  defineRoute({
    route: 'GET /v1/mcp-programs',
    summary: "List the operator's MCP programs that agents of this workspace may use",
    tag,
    permission: 'agents_edit',
    answer: z.array(mcpProgram),
    handler: (scope) => programs.list(scope),
  }),
  defineRoute({
    route: 'GET /v1/admin/groups/{group_id}/mcp-programs',
    summary: "List all of the operator's MCP programs, and whether a workspace has them",
    tag,
    permission: 'org:admin',
    params: mcpProgramsParams,
    answer: z.array(mcpProgramGrant),
    handler: (scope, { params }) => programs.grants(scope, params.group_id),
  }),
  defineRoute({
    route: 'PUT /v1/admin/groups/{group_id}/mcp-programs',
    summary: "Say which of the operator's MCP programs a workspace has; those that are not named are taken away",
    tag,
    permission: 'org:admin',
    params: mcpProgramsParams,
    body: mcpProgramsPut,
    example: { names: [] },
    answer: z.array(mcpProgramGrant),
    handler: (scope, { params, body }) => programs.give(scope, params.group_id, body),
  }),
];
