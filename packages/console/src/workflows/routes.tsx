import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../routes.tsx';

interface Listed {
  search?: string | undefined;
  deleted?: boolean | undefined;
}
interface Shown {
  node?: string | undefined;
  run?: string | undefined;
  view?: 'outline' | undefined;
}

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined);

const listRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/workflows',
  validateSearch: (search: Record<string, unknown>): Listed => ({
    search: text(search['search']),
    deleted: search['deleted'] === true || undefined,
  }),
  component: lazyRouteComponent(() => import('./list/workflows-page.tsx'), 'WorkflowsPage'),
});

const workflowRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/workflows/$id',
  component: lazyRouteComponent(() => import('./editor/workflow-frame.tsx'), 'WorkflowFrame'),
});

/** The canvas, which is shown unless the address asks for the outline. */
const buildRoute = createRoute({
  getParentRoute: () => workflowRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>): Shown => ({
    node: text(search['node']),
    run: text(search['run']),
    view: search['view'] === 'outline' ? 'outline' : undefined,
  }),
  component: lazyRouteComponent(() => import('./editor/build-page.tsx'), 'BuildPage'),
});

const runsRoute = createRoute({
  getParentRoute: () => workflowRoute,
  path: '/runs',
  validateSearch: (search: Record<string, unknown>): { status?: string | undefined } => ({
    status: text(search['status']),
  }),
  component: lazyRouteComponent(() => import('./tabs/runs-page.tsx'), 'RunsPage'),
});

const triggersRoute = createRoute({
  getParentRoute: () => workflowRoute,
  path: '/triggers',
  validateSearch: (search: Record<string, unknown>): { trigger?: string | undefined } => ({
    trigger: text(search['trigger']),
  }),
  component: lazyRouteComponent(() => import('./tabs/triggers-page.tsx'), 'TriggersPage'),
});

const versionsRoute = createRoute({
  getParentRoute: () => workflowRoute,
  path: '/versions',
  validateSearch: (search: Record<string, unknown>): { from?: string | undefined; to?: string | undefined } => ({
    from: text(search['from']),
    to: text(search['to']),
  }),
  component: lazyRouteComponent(() => import('./tabs/versions-page.tsx'), 'VersionsPage'),
});

export const workflowRoutes = [
  listRoute,
  workflowRoute.addChildren([buildRoute, runsRoute, triggersRoute, versionsRoute]),
];
