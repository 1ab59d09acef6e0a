import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { workspaceRoute } from '../routes.tsx';

type Address = Record<string, unknown>;
type Texts<K extends string> = { [N in K]?: string | undefined };
/** Settings on trial, by their keys. */
interface Tried {
  trial?: Record<string, unknown> | undefined;
}

/** The texts of an address; one that looks like a number was read as one. */
const texts =
  <K extends string>(...names: K[]) =>
  (search: Address) =>
    Object.fromEntries(
      names.map((name) => [name, search[name] == null || search[name] === '' ? undefined : String(search[name])]),
    ) as Texts<K>;

function withTrial<T>(read: (search: Address) => T) {
  return (search: Address): T & Tried => {
    const { trial } = search as Tried;
    return { ...read(search), trial: typeof trial === 'object' && trial !== null ? trial : undefined };
  };
}

const listRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/knowledge',
  validateSearch: texts('search'),
  component: lazyRouteComponent(() => import('./list/knowledge-page.tsx'), 'KnowledgePage'),
});

const baseRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/knowledge/$id',
  component: lazyRouteComponent(() => import('./base/base-frame.tsx'), 'BaseFrame'),
});

const indexRoute = createRoute({
  getParentRoute: () => baseRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/w/$w/knowledge/$id/documents', params });
  },
});

const documentsRoute = createRoute({
  getParentRoute: () => baseRoute,
  path: '/documents',
  // `start`: a place in the text of the document, as citations have it.
  validateSearch: texts('search', 'prefix', 'status', 'sort', 'doc', 'passage', 'start', 'view'),
  component: lazyRouteComponent(() => import('./documents/documents-page.tsx'), 'DocumentsPage'),
});

const searchRoute = createRoute({
  getParentRoute: () => baseRoute,
  path: '/search',
  validateSearch: withTrial(texts('q', 'prefix', 'explain')),
  component: lazyRouteComponent(() => import('./search/search-page.tsx'), 'SearchPage'),
});

const qualityRoute = createRoute({
  getParentRoute: () => baseRoute,
  path: '/quality',
  validateSearch: withTrial(texts('set')),
  component: lazyRouteComponent(() => import('./quality/quality-page.tsx'), 'QualityPage'),
});

const sitesRoute = createRoute({
  getParentRoute: () => baseRoute,
  path: '/sites',
  validateSearch: texts('site', 'pages'),
  component: lazyRouteComponent(() => import('./sites/sites-page.tsx'), 'SitesPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => baseRoute,
  path: '/settings',
  validateSearch: texts('group', 'find'),
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
});

export const knowledgeRoutes = [
  listRoute,
  baseRoute.addChildren([indexRoute, documentsRoute, searchRoute, qualityRoute, sitesRoute, settingsRoute]),
];
