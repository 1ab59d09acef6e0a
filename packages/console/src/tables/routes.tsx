import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../routes.tsx';

interface Listed {
  search?: string | undefined;
  tables?: 'platform' | 'deleted' | undefined;
}
interface Viewed {
  filter?: string | undefined;
  sort?: string | undefined;
  search?: string | undefined;
  hidden?: string | undefined;
  cell?: string | undefined;
}
interface Asked {
  q?: string | undefined;
}

const text = (value: unknown) =>
  typeof value === 'string' && value
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined;

/** The router reads JSON in addresses; a filter stays the text that the server takes. */
const json = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : text(value));
const asked = (search: Record<string, unknown>): Asked => ({ q: text(search['q']) });

const listRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/tables',
  validateSearch: (search: Record<string, unknown>): Listed => ({
    search: text(search['search']),
    tables: search['tables'] === 'platform' || search['tables'] === 'deleted' ? search['tables'] : undefined,
  }),
  component: lazyRouteComponent(() => import('./list/tables-page.tsx'), 'TablesPage'),
});

const sqlRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/tables/sql',
  validateSearch: asked,
  component: lazyRouteComponent(() => import('./sql/sql-page.tsx'), 'SqlPage'),
});

const tableRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/tables/$id',
  component: lazyRouteComponent(() => import('./frame/table-frame.tsx'), 'TableFrame'),
});

const rowsRoute = createRoute({
  getParentRoute: () => tableRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>): Viewed => ({
    ...{ filter: json(search['filter']), sort: text(search['sort']), search: text(search['search']) },
    ...{ hidden: text(search['hidden']), cell: text(search['cell']) },
  }),
  component: lazyRouteComponent(() => import('./rows/rows-page.tsx'), 'RowsPage'),
});

const columnsRoute = createRoute({
  getParentRoute: () => tableRoute,
  path: '/columns',
  component: lazyRouteComponent(() => import('./columns/columns-page.tsx'), 'ColumnsPage'),
});

const tableSqlRoute = createRoute({
  getParentRoute: () => tableRoute,
  path: '/sql',
  validateSearch: asked,
  component: lazyRouteComponent(() => import('./sql/table-sql-page.tsx'), 'TableSqlPage'),
});

const usedByRoute = createRoute({
  getParentRoute: () => tableRoute,
  path: '/used-by',
  component: lazyRouteComponent(() => import('./used-by/used-by-page.tsx'), 'UsedByPage'),
});

export const tableRoutes = [
  listRoute,
  sqlRoute,
  tableRoute.addChildren([rowsRoute, columnsRoute, tableSqlRoute, usedByRoute]),
];
