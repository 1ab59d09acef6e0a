import { findEverything } from '@atrium/contract/search/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Search } from './service.ts';

export const searchRoutes = (search: Search): Route[] => [
  handle(findEverything, (scope, { query }) => search.find(scope, query)),
];
