import { createRouter } from '@tanstack/react-router';
import { accountRoutes } from './account/routes.tsx';
import { agentRoutes } from './agents/routes.tsx';
import { queryClient } from './api/query-client.ts';
import { chatRoutes } from './chat/routes.tsx';
import { inboxRoutes } from './inbox/routes.tsx';
import { indexRoute, rootRoute, signedInRoute, workspaceIndexRoute, workspaceRoute } from './routes.tsx';
import { sharedRoutes } from './shared/routes.tsx';
import { laterRoutes } from './shell/later-routes.tsx';
import { NotFound } from './shell/not-found.tsx';
import { PageFailure } from './shell/page-failure.tsx';
import { welcomeRoutes } from './welcome/routes.tsx';

const routeTree = rootRoute.addChildren([
  ...welcomeRoutes,
  ...sharedRoutes,
  signedInRoute.addChildren([
    indexRoute,
    ...accountRoutes,
    workspaceRoute.addChildren([workspaceIndexRoute, ...chatRoutes, ...inboxRoutes, ...agentRoutes, ...laterRoutes]),
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
