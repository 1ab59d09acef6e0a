import { handle, type Route } from '../../lib/route.ts';
import { receiveHook } from './hook-operations.ts';
import type { Hooks } from './hooks.ts';

export const hookRoutes = (hooks: Hooks): Route[] => [
  handle(receiveHook, (scope, { params, query, raw }) => hooks.receive(scope, params.routing_key, raw(), query)),
];
