import { keyRoutes } from '../features/keys/handlers.ts';
import { makeKeys, roleHolders } from '../features/keys/service.ts';
import { roleRoutes } from '../features/roles/handlers.ts';
import { makeRoles } from '../features/roles/service.ts';
import { workspaceRoutes } from '../features/workspaces/handlers.ts';
import { makeWorkspaces } from '../features/workspaces/service.ts';

/** Composes workspaces, API keys and roles. */
export function composeTenancy(deps: Parameters<typeof makeWorkspaces>[0]) {
  const workspaces = makeWorkspaces(deps);
  const roles = makeRoles({ ...deps, workspaces, holders: roleHolders });
  const keys = makeKeys({ ...deps, workspaces, roles });
  return { workspaces, routes: [...workspaceRoutes(workspaces), ...keyRoutes(keys), ...roleRoutes(roles)] };
}
