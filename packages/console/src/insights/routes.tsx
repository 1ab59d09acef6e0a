import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../routes.tsx';

/** Which time is shown: so many days up to now, or from one day to another. */
export interface Period {
  days?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}
export interface InsightPlace extends Period {
  group?: string | undefined;
}
interface InsightSearch extends InsightPlace {
  agent?: string | undefined;
}
/** What a figure counts, as filters of a list. Times are exact. */
export interface Counted {
  agent?: string | undefined;
  version?: string | undefined;
  person?: string | undefined;
  channel?: string | undefined;
  topic?: string | undefined;
  tool?: string | undefined;
  rating?: 'up' | 'down' | undefined;
  after?: string | undefined;
  before?: string | undefined;
  /** The name of the group, for the page. */
  about?: string | undefined;
}

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined);
const day = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && Number.isFinite(Date.parse(value))
    ? value
    : undefined;

export const readPlace = (search: Record<string, unknown>): InsightPlace => ({
  days: [7, 30, 90].find((days) => days === search['days']),
  from: day(search['from']),
  to: day(search['to']),
  group: text(search['group']),
});

const readCounted = (search: Record<string, unknown>): Counted => ({
  ...{ agent: text(search['agent']), version: text(search['version']), person: text(search['person']) },
  ...{ channel: text(search['channel']), topic: text(search['topic']), tool: text(search['tool']) },
  rating: search['rating'] === 'up' || search['rating'] === 'down' ? search['rating'] : undefined,
  ...{ after: text(search['after']), before: text(search['before']), about: text(search['about']) },
});

const insightsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/insights',
  validateSearch: (search: Record<string, unknown>): InsightSearch => ({
    ...readPlace(search),
    agent: text(search['agent']),
  }),
  component: lazyRouteComponent(() => import('./insights-page.tsx'), 'InsightsPage'),
});

const conversationsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/insights/conversations',
  validateSearch: readCounted,
  component: lazyRouteComponent(() => import('./lists/conversations-page.tsx'), 'CountedConversationsPage'),
});
const feedbackRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/insights/feedback',
  validateSearch: readCounted,
  component: lazyRouteComponent(() => import('./lists/feedback-page.tsx'), 'CountedFeedbackPage'),
});
const violationsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/insights/violations',
  validateSearch: readCounted,
  component: lazyRouteComponent(() => import('./lists/violations-page.tsx'), 'CountedViolationsPage'),
});
const toolCallsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/insights/tool-calls',
  validateSearch: readCounted,
  component: lazyRouteComponent(() => import('./lists/tool-calls-page.tsx'), 'CountedToolCallsPage'),
});

export const insightRoutes = [insightsRoute, conversationsRoute, feedbackRoute, violationsRoute, toolCallsRoute];
