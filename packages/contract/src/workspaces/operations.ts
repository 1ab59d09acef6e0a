import * as z from 'zod';
import { operation } from '../operation.ts';
import { conflicts, noSuch, refused } from '../operation-errors.ts';
import { success } from '../page.ts';
import { workspaceLimits } from './limits.ts';
import { workspacesRoutes } from './routes.ts';
import { workspace, workspaceCreate, workspaceParams, workspacePatch } from './schema.ts';

const tag = 'Workspaces';

export const listWorkspaces = operation({
  id: 'workspaces.list',
  route: workspacesRoutes['workspaces.list'],
  summary: 'List the workspaces of the tenant',
  description: 'Returns all workspaces of the tenant in one list, without pages.',
  tag,
  permission: 'workspace_read',
  answer: z.array(workspace),
});

export const createWorkspace = operation({
  id: 'workspaces.create',
  route: workspacesRoutes['workspaces.create'],
  summary: 'Create a workspace',
  description:
    'Creates an empty workspace. To work in it, name it in the header `X-Workspace-Id` with a system key, or create an API key for it.',
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
  description: 'Returns the name and description of a workspace. Its records are reached with a key of that workspace.',
  tag,
  permission: 'workspace_read',
  params: workspaceParams,
  errors: [noSuch('workspace')],
  answer: workspace,
});

export const getWorkspaceLimits = operation({
  id: 'workspaces.getLimits',
  route: workspacesRoutes['workspaces.getLimits'],
  summary: 'Get the limits of a workspace and what it uses of them',
  description:
    'Returns the limits of requests, streams and stored bytes that hold in the workspace, and the bytes that it keeps. A system key and an administrator of the organization can name any workspace, other callers only their own.',
  tag,
  permission: ['workspace_read', 'workspace_admin'],
  params: workspaceParams,
  errors: [noSuch('workspace')],
  answer: workspaceLimits,
});

export const updateWorkspace = operation({
  id: 'workspaces.update',
  route: workspacesRoutes['workspaces.update'],
  summary: 'Change a workspace',
  description:
    'Changes the name, the description, the words that are never taken for personal data or the quota of what it keeps, and keeps the others. A run that is under way keeps to the list it began with. A quota below what is kept deletes nothing; messages, rows and files are taken again once there is room.',
  tag,
  permission: 'workspace_write',
  params: workspaceParams,
  body: workspacePatch,
  example: { name: 'Customer support', pii_allow: ['Podman', '*@support.example'] },
  errors: [refused('forbidden', '`file_quota_mb` was sent by a caller without `org:admin`.'), noSuch('workspace')],
  answer: workspace,
});

export const deleteWorkspace = operation({
  id: 'workspaces.delete',
  route: workspacesRoutes['workspaces.delete'],
  summary: 'Delete a workspace and everything in it',
  description:
    'Deletes a workspace with everything in it, including its API keys; its secrets can never be read again. The workspace of the key that asks cannot be deleted, and one that has system keys only by a system key.',
  tag,
  permission: 'workspace_write',
  params: workspaceParams,
  errors: [
    refused('forbidden', 'System keys live in the workspace, and the caller is none.'),
    noSuch('workspace'),
    conflicts('conflict', 'It is the home of the key that asks.'),
  ],
  answer: success,
});

export const workspacesOperations = [
  listWorkspaces,
  createWorkspace,
  getWorkspace,
  getWorkspaceLimits,
  updateWorkspace,
  deleteWorkspace,
];
