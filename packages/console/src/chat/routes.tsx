import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../routes.tsx';

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined);
const page = () => import('./chat-page.tsx');

const listStates = ['unread', 'waiting', 'running', 'archived'] as const;
export type ListState = (typeof listStates)[number];

/** What the list shows: it stays in the address while conversations are opened. */
export interface ListFilters {
  find?: string | undefined;
  agent?: string | undefined;
  state?: ListState | undefined;
  /** Shows the start instead of the list where there is room for one of them. */
  new?: true | undefined;
}

const chatRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/chat',
  validateSearch: (search: Record<string, unknown>): ListFilters => ({
    find: text(search['find']),
    agent: text(search['agent']),
    state: listStates.find((state) => state === search['state']),
    new: search['new'] === true || undefined,
  }),
  component: lazyRouteComponent(page, 'ChatPage'),
});

const chatStartRoute = createRoute({
  getParentRoute: () => chatRoute,
  path: '/',
  component: lazyRouteComponent(page, 'StartPage'),
});

const conversationRoute = createRoute({
  getParentRoute: () => chatRoute,
  path: '/$id',
  validateSearch: (
    search: Record<string, unknown>,
  ): { message?: string | undefined; panel?: 'details' | undefined } => ({
    message: text(search['message']),
    panel: search['panel'] === 'details' ? 'details' : undefined,
  }),
  component: lazyRouteComponent(page, 'ConversationPage'),
});

export const chatRoutes = [chatRoute.addChildren([chatStartRoute, conversationRoute])];
