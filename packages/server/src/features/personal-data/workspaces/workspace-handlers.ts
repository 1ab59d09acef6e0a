import { exportWorkspace, importWorkspace } from '@atrium/contract/personal-data/operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { WorkspaceData } from './workspace-data.ts';

export const workspaceDataRoutes = (data: WorkspaceData): Route[] => [
  handle(exportWorkspace, (scope, { params }) => data.export(scope, params.group_id)),
  handle(importWorkspace, (scope, input) => data.import(scope, input.files())),
];
