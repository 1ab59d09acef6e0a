import { receiveHook } from '@atrium/contract/triggers/hook-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { Hooks } from './hooks.ts';

export const hookRoutes = (hooks: Hooks): Route[] => [
  handle(receiveHook, (scope, { params, query, raw }) => hooks.receive(scope, params.routing_key, raw(), query)),
];
