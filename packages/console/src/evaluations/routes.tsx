import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../routes.tsx';

interface Listed {
  search?: string | undefined;
  agent?: string | undefined;
}
export interface EvaluationPlace {
  view?: 'cases' | 'compare' | undefined;
  /** The run whose results are shown. */
  run?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Which cases of a comparison. */
  show?: string | undefined;
}

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined);
const views = ['cases', 'compare'] as const;

const listRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/evaluations',
  validateSearch: (search: Record<string, unknown>): Listed => ({
    search: text(search['search']),
    agent: text(search['agent']),
  }),
  component: lazyRouteComponent(() => import('./list/evaluations-page.tsx'), 'EvaluationsPage'),
});

const oneRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/evaluations/$id',
  validateSearch: (search: Record<string, unknown>): EvaluationPlace => {
    const [from, to] = [text(search['from']), text(search['to'])];
    const view = views.find((known) => known === search['view']);
    return {
      view: view ?? (from && to ? 'compare' : undefined),
      run: text(search['run']),
      ...{ from, to, show: text(search['show']) },
    };
  },
  component: lazyRouteComponent(() => import('./one/evaluation-page.tsx'), 'EvaluationPage'),
});

export const evaluationRoutes = [listRoute, oneRoute];
