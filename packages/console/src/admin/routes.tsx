import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../routes.tsx';

/** What pages of Admin keep in their addresses: filters, tab, chosen row, time range. */
const kept = [
  ...(['tab', 'search', 'role', 'by', 'range', 'metric'] as const),
  ...(['who', 'what', 'where', 'when', 'outcome', 'record', 'name', 'entry'] as const),
];
export type AdminSearch = { readonly [K in (typeof kept)[number]]?: string | undefined };

const component = lazyRouteComponent(() => import('./admin-frame.tsx'), 'AdminFrame');
const validateSearch = (search: Record<string, unknown>): AdminSearch =>
  Object.fromEntries(kept.flatMap((key) => (search[key] ? [[key, String(search[key])]] : [])));

export const adminRoutes = [
  createRoute({ getParentRoute: () => workspaceRoute, path: '/admin', component, validateSearch }),
  createRoute({ getParentRoute: () => workspaceRoute, path: '/admin/$section', component, validateSearch }),
];
