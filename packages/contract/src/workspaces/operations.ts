import { z } from 'zod';
import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { workspacesRoutes } from './routes.ts';
import { workspace, workspaceCreate, workspaceParams, workspacePatch } from './schema.ts';

const tag = 'Workspaces';

export const listWorkspaces = operation({
  id: 'workspaces.list',
  route: workspacesRoutes['workspaces.list'],
  summary: 'List the workspaces of the tenant',
  tag,
  permission: 'workspace_read',
  answer: z.array(workspace),
});

export const createWorkspace = operation({
  id: 'workspaces.create',
  route: workspacesRoutes['workspaces.create'],
  summary: 'Create a workspace',
  tag,
  permission: 'workspace_write',
  body: workspaceCreate,
  example: { name: 'Support', description: 'Where the support agents live' },
  answer: workspace,
});

export const getWorkspace = operation({
  id: 'workspaces.get',
  route: workspacesRoutes['workspaces.get'],
  summary: 'Get a workspace',
  tag,
  permission: 'workspace_read',
  params: workspaceParams,
  answer: workspace,
});

export const updateWorkspace = operation({
  id: 'workspaces.update',
  route: workspacesRoutes['workspaces.update'],
  summary: 'Rename or describe a workspace',
  tag,
  permission: 'workspace_write',
  params: workspaceParams,
  body: workspacePatch,
  example: { name: 'Customer support' },
  answer: workspace,
});

export const deleteWorkspace = operation({
  id: 'workspaces.delete',
  route: workspacesRoutes['workspaces.delete'],
  summary: 'Delete a workspace and everything in it',
  tag,
  permission: 'workspace_write',
  params: workspaceParams,
  answer: success,
});

export const workspacesOperations = [listWorkspaces, createWorkspace, getWorkspace, updateWorkspace, deleteWorkspace];
