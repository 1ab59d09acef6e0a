import { createRouter } from '@tanstack/react-router';
import { accountRoutes } from './account/routes.tsx';
import { adminRoutes } from './admin/routes.tsx';
import { agentRoutes } from './agents/routes.tsx';
import { queryClient } from './api/query-client.ts';
import { chatRoutes } from './chat/routes.tsx';
import { evaluationRoutes } from './evaluations/routes.tsx';
import { helpRoutes } from './help/routes.tsx';
import { inboxRoutes } from './inbox/routes.tsx';
import { insightRoutes } from './insights/routes.tsx';
import { knowledgeRoutes } from './knowledge/routes.tsx';
import { resourceRoutes } from './resources/routes.tsx';
import { indexRoute, rootRoute, signedInRoute, workspaceIndexRoute, workspaceRoute } from './routes.tsx';
import { runRoutes } from './runs/routes.tsx';
import { sharedRoutes } from './shared/routes.tsx';
import { NotFound } from './shell/not-found.tsx';
import { PageFailure } from './shell/page-failure.tsx';
import { tableRoutes } from './tables/routes.tsx';
import { welcomeRoutes } from './welcome/routes.tsx';
import { workflowRoutes } from './workflows/routes.tsx';

const routeTree = rootRoute.addChildren([
  ...welcomeRoutes,
  ...sharedRoutes,
  signedInRoute.addChildren([
    indexRoute,
    ...accountRoutes,
    ...helpRoutes,
    workspaceRoute.addChildren([
      ...[workspaceIndexRoute, ...chatRoutes, ...inboxRoutes, ...agentRoutes],
      ...[...workflowRoutes, ...knowledgeRoutes, ...tableRoutes, ...resourceRoutes],
      ...[...runRoutes, ...insightRoutes, ...evaluationRoutes, ...adminRoutes],
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <PageFailure error={error} reset={reset} />,
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
