import { queryTables } from '@atrium/contract/tables/query/operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { TableQueries } from './service.ts';

export const queryRoutes = (queries: TableQueries): Route[] => [
  handle(queryTables, (scope, { body }) => queries.ask(scope, body)),
];
