import { adminRoutes } from './admin-routes.ts';
import { chatRoutes } from './chat-routes.ts';
import { dataRoutes } from './data-routes.ts';
import { workRoutes } from './work-routes.ts';

/**
 * Every operation by resource and verb: `[base, { verb: 'METHOD path' }]`. A path is added to the base unless it begins
 * with `/v1/` or `/hooks/`, and one that ends with a slash goes on with the verb. It is the contract's table in less than
 * two thirds of its bytes; a type and a test compare the two.
 */
export const routes = { ...adminRoutes, ...chatRoutes, ...dataRoutes, ...workRoutes };

/** The method and the whole path of an entry. */
export function routeOf(base: string, verb: string, entry: string): { method: string; path: string } {
  const [method = '', rest = ''] = entry.split(' ');
  const path = rest.endsWith('/') ? rest + verb : rest;
  return { method, path: /^\/(v1|hooks)\//.test(path) ? path : base + path };
}
