import * as z from 'zod';
import { operation } from '../operation.ts';
import { mcpProgram, mcpProgramGrant, mcpProgramsParams, mcpProgramsPut } from './program-schema.ts';
import { mcpRoutes } from './routes.ts';

const tag = 'MCP servers';

export const listMcpPrograms = operation({
  id: 'mcpPrograms.list',
  route: mcpRoutes['mcpPrograms.list'],
  summary: "List the operator's MCP programs that agents of this workspace may use",
  description:
    "Returns the local MCP programs that agents of the caller's workspace may name in their settings. The answer is a plain list without pages, since it only holds what the operator wrote into one file.",
  tag,
  permission: 'agents_edit',
  answer: z.array(mcpProgram),
});

export const listWorkspacePrograms = operation({
  id: 'mcpPrograms.listOfWorkspace',
  route: mcpRoutes['mcpPrograms.listOfWorkspace'],
  summary: "List all of the operator's MCP programs, and whether a workspace has them",
  description:
    "Returns every program of the operator's file and who gave it to the workspace. The answer is a plain list without pages, since the file is short.",
  tag,
  permission: 'org:admin',
  params: mcpProgramsParams,
  versioned: true,
  answer: z.array(mcpProgramGrant),
});

export const setWorkspacePrograms = operation({
  id: 'mcpPrograms.setOfWorkspace',
  route: mcpRoutes['mcpPrograms.setOfWorkspace'],
  summary: "Set which of the operator's MCP programs a workspace has",
  description:
    "Replaces the programs that an administrator gave the workspace and returns all programs as a plain list. Programs that the operator's file gives to the workspace stay. Programs run with the rights of the server process, so give them with care.",
  tag,
  permission: 'org:admin',
  params: mcpProgramsParams,
  body: mcpProgramsPut,
  example: { names: [] },
  versioned: true,
  answer: z.array(mcpProgramGrant),
});

export const mcpProgramOperations = [listMcpPrograms, listWorkspacePrograms, setWorkspacePrograms];
