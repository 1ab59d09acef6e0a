import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../routes.tsx';

export type InboxTab = 'pending' | 'decided' | 'expired';
export type InboxKind = 'conversation' | 'workflow' | 'agent';
interface InboxSearch {
  status?: InboxTab | undefined;
  kind?: InboxKind | undefined;
  named?: 'me' | undefined;
  item?: string | undefined;
}

const oneOf = <V extends string>(values: readonly V[], value: unknown): V | undefined =>
  values.find((known) => known === value);

export const inboxRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/inbox',
    validateSearch: ({ status, kind, named, item }: Record<string, unknown>): InboxSearch => ({
      status: oneOf(['pending', 'decided', 'expired'], status),
      kind: oneOf(['conversation', 'workflow', 'agent'], kind),
      named: oneOf(['me'], named),
      item: typeof item === 'string' ? item : undefined,
    }),
    component: lazyRouteComponent(() => import('./inbox-page.tsx'), 'InboxPage'),
  }),
];
