import { queryTables } from '@atrium/contract/tables/query/operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { Questions } from './service.ts';

export const queryRoutes = (questions: Questions): Route[] => [
  handle(queryTables, (scope, { body }) => questions.ask(scope, body)),
];
