import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../routes.tsx';

const component = lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage');

export const accountRoutes = [
  createRoute({ getParentRoute: () => signedInRoute, path: '/account', component }),
  createRoute({ getParentRoute: () => signedInRoute, path: '/me', component }),
];
