import { adminRoutes } from './admin-routes.ts';
import { chatRoutes } from './chat-routes.ts';
import { dataRoutes } from './data-routes.ts';
import { workRoutes } from './work-routes.ts';

/**
 * Every operation by resource and verb: `[base, { verb: 'METHOD path' }]`. A path is added to the base unless it begins
 * with `/v1/` or `/hooks/`. It is the contract's table in a third less bytes; a type and a test compare the two.
 */
export const routes = { ...adminRoutes, ...chatRoutes, ...dataRoutes, ...workRoutes };

/** The method and the whole path of an entry. */
export function routeOf(base: string, entry: string): { method: string; path: string } {
  const [method = '', path = ''] = entry.split(' ');
  return { method, path: /^\/(v1|hooks)\//.test(path) ? path : base + path };
}
