import { z } from 'zod';
import { operation } from '../operation.ts';
import { mcpProgram, mcpProgramGrant, mcpProgramsParams, mcpProgramsPut } from './program-schema.ts';
import { mcpRoutes } from './routes.ts';

const tag = 'MCP servers';

export const listMcpPrograms = operation({
  id: 'mcpPrograms.list',
  route: mcpRoutes['mcpPrograms.list'],
  summary: "List the operator's MCP programs that agents of this workspace may use",
  tag,
  permission: 'agents_edit',
  answer: z.array(mcpProgram),
});

export const listWorkspacePrograms = operation({
  id: 'mcpPrograms.listOfWorkspace',
  route: mcpRoutes['mcpPrograms.listOfWorkspace'],
  summary: "List all of the operator's MCP programs, and whether a workspace has them",
  tag,
  permission: 'org:admin',
  params: mcpProgramsParams,
  answer: z.array(mcpProgramGrant),
});

export const setWorkspacePrograms = operation({
  id: 'mcpPrograms.setOfWorkspace',
  route: mcpRoutes['mcpPrograms.setOfWorkspace'],
  summary: "Say which of the operator's MCP programs a workspace has; those that are not named are taken away",
  tag,
  permission: 'org:admin',
  params: mcpProgramsParams,
  body: mcpProgramsPut,
  example: { names: [] },
  answer: z.array(mcpProgramGrant),
});

export const mcpProgramOperations = [listMcpPrograms, listWorkspacePrograms, setWorkspacePrograms];
