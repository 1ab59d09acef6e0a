import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readPlace } from '../insights/routes.tsx';
import { workspaceRoute } from '../routes.tsx';

interface Listed {
  search?: string | undefined;
  deleted?: boolean | undefined;
}
interface BuildSearch {
  group?: string | undefined;
  setting?: string | undefined;
}
interface Compared {
  from?: string | undefined;
  to?: string | undefined;
}
interface Chosen {
  trigger?: string | undefined;
  channel?: string | undefined;
}
interface Remembered {
  search?: string | undefined;
  about?: string | undefined;
}

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined);

const listRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/agents',
  validateSearch: (search: Record<string, unknown>): Listed => ({
    search: text(search['search']),
    deleted: search['deleted'] === true || undefined,
  }),
  component: lazyRouteComponent(() => import('./list/agents-page.tsx'), 'AgentsPage'),
});

export const agentRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/agents/$id',
  component: lazyRouteComponent(() => import('./editor/agent-frame.tsx'), 'AgentFrame'),
});

const indexRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/w/$w/agents/$id/build', params });
  },
});

const buildRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/build',
  validateSearch: (search: Record<string, unknown>): BuildSearch => ({
    group: text(search['group']),
    setting: text(search['setting']),
  }),
  component: lazyRouteComponent(() => import('./build/build-page.tsx'), 'BuildPage'),
});

const versionsRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/versions',
  validateSearch: (search: Record<string, unknown>): Compared => ({
    from: text(search['from']),
    to: text(search['to']),
  }),
  component: lazyRouteComponent(() => import('./versions/versions-page.tsx'), 'VersionsPage'),
});

const memoryRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/memory',
  validateSearch: (search: Record<string, unknown>): Remembered => ({
    search: text(search['search']),
    about: text(search['about']),
  }),
  component: lazyRouteComponent(() => import('./memory/memory-page.tsx'), 'MemoryPage'),
});

const triggersRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/triggers',
  validateSearch: (search: Record<string, unknown>): Chosen => ({ trigger: text(search['trigger']) }),
  component: lazyRouteComponent(() => import('./triggers/triggers-page.tsx'), 'TriggersPage'),
});

const channelsRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/channels',
  validateSearch: (search: Record<string, unknown>): Chosen => ({ channel: text(search['channel']) }),
  component: lazyRouteComponent(() => import('./channels/channels-page.tsx'), 'ChannelsPage'),
});

const evaluationsRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/evaluations',
  component: lazyRouteComponent(() => import('./evaluations/agent-evaluations-page.tsx'), 'AgentEvaluationsPage'),
});

const insightsRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/insights',
  validateSearch: readPlace,
  component: lazyRouteComponent(() => import('./insights/agent-insights-page.tsx'), 'AgentInsightsPage'),
});

export const agentRoutes = [
  listRoute,
  agentRoute.addChildren([
    ...[indexRoute, buildRoute, channelsRoute, triggersRoute, memoryRoute, versionsRoute],
    ...[evaluationsRoute, insightsRoute],
  ]),
];
