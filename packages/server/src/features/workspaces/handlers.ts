import { done } from '@atrium/contract/page.ts';
import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from '@atrium/contract/workspaces/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Workspaces } from './service.ts';

export const workspaceRoutes = (workspaces: Workspaces): Route[] => [
  handle(listWorkspaces, (scope) => workspaces.list(scope)),
  handle(createWorkspace, (scope, { body }) => workspaces.create(scope, body)),
  handle(getWorkspace, (scope, { params }) => workspaces.get(scope, params.group_id)),
  handle(updateWorkspace, (scope, { params, body }) => workspaces.update(scope, params.group_id, body)),
  handle(deleteWorkspace, async (scope, { params }) => {
    await workspaces.remove(scope, params.group_id);
    return done;
  }),
];
