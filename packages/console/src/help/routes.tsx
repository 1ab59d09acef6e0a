import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../routes.tsx';
import { HelpFrame } from '../shell/help-frame.tsx';

const helpRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/help',
  component: HelpFrame,
});

const listRoute = createRoute({
  getParentRoute: () => helpRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>): { q?: string | undefined } => ({
    q: typeof search['q'] === 'string' && search['q'] ? search['q'] : undefined,
  }),
  component: lazyRouteComponent(() => import('./help-page.tsx'), 'HelpPage'),
});

/** A guide, or a decision below `decisions/`. */
const guideRoute = createRoute({
  getParentRoute: () => helpRoute,
  path: '/$',
  component: lazyRouteComponent(() => import('./guide-page.tsx'), 'GuidePage'),
});

export const helpRoutes = [helpRoute.addChildren([listRoute, guideRoute])];
