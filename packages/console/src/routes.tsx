import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { sessionQuery, signInOptionsQuery } from './api/session.ts';
import { safeNext } from './lib/safe-next.ts';
import { NotFound } from './shell/not-found.tsx';
import { PageFailure } from './shell/page-failure.tsx';
import { rememberedWorkspace } from './shell/remembered-workspace.ts';
import { SignedIn } from './shell/signed-in.tsx';
import { WorkspaceFrame } from './shell/workspace-frame.tsx';

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: ({ error, reset }) => <PageFailure error={error} reset={reset} />,
});

/** Pages that need a session: without one they lead to sign-in, or to the welcome of a new server, and back afterwards. */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (!session) {
      const { claimed } = await context.queryClient.ensureQueryData(signInOptionsQuery);
      if (!claimed) throw redirect({ to: '/welcome' });
      const next = safeNext(location.href);
      throw redirect({ to: '/sign-in', search: next && next !== '/' ? { next } : {} });
    }
    if (session.must_enrol_second_factor) throw redirect({ to: '/enrol' });
    return { session };
  },
  component: SignedIn,
});

export const indexRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: ({ context }) => {
    const w = rememberedWorkspace(context.session.workspaces.map(({ id }) => id));
    if (w) throw redirect({ to: '/w/$w/chat', params: { w } });
    throw redirect({ to: '/account' });
  },
});

/** Everything of one workspace. */
export const workspaceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/w/$w',
  component: WorkspaceFrame,
});

export const workspaceIndexRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/w/$w/chat', params });
  },
});

export { signedInRoute };
