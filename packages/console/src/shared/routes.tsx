import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../routes.tsx';

/** A shared conversation, without the shell and without an account. */
export const sharedRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/shared/$token',
    component: lazyRouteComponent(() => import('./shared-page.tsx'), 'SharedPage'),
  }),
];
