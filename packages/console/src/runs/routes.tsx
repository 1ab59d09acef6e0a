import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../routes.tsx';

/** Which runs are listed; a trace keeps it, so that the runs before and after are those of the list. */
export interface RunFilters {
  kind?: 'conversation' | 'workflow' | undefined;
  status?: string | undefined;
  agent?: string | undefined;
  workflow?: string | undefined;
  conversation?: string | undefined;
  parent?: string | undefined;
  person?: string | undefined;
  trigger?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  days?: number | undefined;
}
interface Listed extends RunFilters {
  sort?: '-cost' | '-tokens' | undefined;
}
interface TraceSearch extends RunFilters {
  step?: string | undefined;
  part?: string | undefined;
  view?: 'tree' | undefined;
}

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined);
const kinds = ['conversation', 'workflow'] as const;
const sorts = ['-cost', '-tokens'] as const;

const readFilters = (search: Record<string, unknown>): RunFilters => ({
  kind: kinds.find((kind) => kind === search['kind']),
  status: text(search['status']),
  agent: text(search['agent']),
  workflow: text(search['workflow']),
  conversation: text(search['conversation']),
  parent: text(search['parent']),
  person: text(search['person']),
  trigger: text(search['trigger']),
  from: text(search['from']),
  to: text(search['to']),
  days: [1, 7, 30].find((days) => days === search['days']),
});

const listRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/runs',
  validateSearch: (search: Record<string, unknown>): Listed => ({
    ...readFilters(search),
    sort: sorts.find((sort) => sort === search['sort']),
  }),
  component: lazyRouteComponent(() => import('./list/runs-page.tsx'), 'RunsPage'),
});

const traceRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/runs/$id',
  validateSearch: (search: Record<string, unknown>): TraceSearch => ({
    ...readFilters(search),
    step: text(search['step']),
    part: text(search['part']),
    view: search['view'] === 'tree' ? 'tree' : undefined,
  }),
  component: lazyRouteComponent(() => import('./trace/trace-page.tsx'), 'TracePage'),
});

export const runRoutes = [listRoute, traceRoute];
