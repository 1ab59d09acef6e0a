import {
  listMcpPrograms,
  listWorkspacePrograms,
  setWorkspacePrograms,
} from '@atrium/contract/mcp/program-operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { McpPrograms } from './programs.ts';

export const mcpProgramRoutes = (programs: McpPrograms): Route[] => [
  handle(listMcpPrograms, (scope) => programs.list(scope)),
  handle(listWorkspacePrograms, (scope, { params }) => programs.grants(scope, params.group_id)),
  handle(setWorkspacePrograms, (scope, { params, body }) => programs.give(scope, params.group_id, body)),
];
