import type { Log } from './log.ts';
import type { Scope } from './scope.ts';

/** The platform at work in a workspace, where no caller is: in jobs. */
export const systemScope = (
  { tenant_id, workspace_id }: { tenant_id: string; workspace_id: string },
  log: Log,
  signal: AbortSignal,
): Scope => ({
  tenant_id,
  workspace_id,
  home_workspace_id: workspace_id,
  actor: { kind: 'system', id: 'system', name: 'Atrium' },
  permissions: new Set(),
  tenant_admin: false,
  request_id: 'job',
  log,
  signal,
});
