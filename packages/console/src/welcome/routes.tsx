import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { safeNext } from '../lib/safe-next.ts';
import { rootRoute } from '../routes.tsx';
import { type Step, steps } from './steps.ts';

interface SignInSearch {
  /** The address to go to afterwards: a path of this server. */
  next?: string | undefined;
  /** Set in the tab that came back from an identity provider while the page waits in another one. */
  tab?: 1 | undefined;
  /** Why an identity provider did not sign the person in: a code of the server. */
  failed?: string | undefined;
}

interface WelcomeSearch {
  step?: Step | undefined;
  /** The workspace that the steps are for; the usual one unless given. */
  w?: string | undefined;
}

export const welcomeRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in',
    // Values are named even when they are refused: the router would hand on the raw ones.
    validateSearch: (search: Record<string, unknown>): SignInSearch => ({
      next: safeNext(search['next']),
      tab: Number(search['tab']) === 1 ? 1 : undefined,
      failed: typeof search['failed'] === 'string' ? search['failed'] : undefined,
    }),
    beforeLoad: async ({ context, search }) => {
      const session = await context.queryClient.ensureQueryData(sessionQuery);
      if (session && !search.tab && !search.failed) throw redirect({ href: search.next ?? '/', replace: true });
    },
    component: lazyRouteComponent(() => import('./sign-in/sign-in-page.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/invitation',
    component: lazyRouteComponent(() => import('./sign-in/invitation-page.tsx'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/invite/$token',
    component: lazyRouteComponent(() => import('./sign-in/invitation-page.tsx'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset',
    component: lazyRouteComponent(() => import('./sign-in/reset-page.tsx'), 'ResetPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/enrol',
    beforeLoad: async ({ context }) => {
      const session = await context.queryClient.ensureQueryData(sessionQuery);
      if (!session) throw redirect({ to: '/sign-in', search: {} });
      if (!session.must_enrol_second_factor) throw redirect({ to: '/' });
    },
    component: lazyRouteComponent(() => import('./sign-in/enrol-page.tsx'), 'EnrolPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/welcome',
    validateSearch: ({ step, w }: Record<string, unknown>): WelcomeSearch => ({
      step: steps.find((name) => name === step),
      w: typeof w === 'string' ? w : undefined,
    }),
    component: lazyRouteComponent(() => import('./welcome-page.tsx'), 'WelcomePage'),
  }),
];
