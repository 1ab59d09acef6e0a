import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { workspaceRoute } from '../routes.tsx';

const names = [
  ...(['search', 'kind', 'sort', 'status', 'health', 'path', 'view'] as const),
  // What is open beside or over the list.
  ...(['file', 'variable', 'server', 'webhook'] as const),
];
type ResourceSearch = { [N in (typeof names)[number]]?: string | undefined };

const validateSearch = (search: Record<string, unknown>): ResourceSearch =>
  Object.fromEntries(names.flatMap((name) => (search[name] ? [[name, String(search[name])]] : [])));

const indexRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/resources',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/w/$w/resources/$tab', params: { ...params, tab: 'files' } });
  },
});
/** The frame loads the page of its tab, so that the shell does not have to know them all. */
const tabRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/resources/$tab',
  validateSearch,
  component: lazyRouteComponent(() => import('./resources-frame.tsx'), 'ResourcesFrame'),
});
/** A terminal needs the whole page. */
const terminalRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/resources/sandboxes/$id',
  validateSearch,
  component: lazyRouteComponent(() => import('./sandboxes/terminal-page.tsx'), 'TerminalPage'),
});

export const resourceRoutes = [indexRoute, tabRoute, terminalRoute];
