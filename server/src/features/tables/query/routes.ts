import { handle, type Route } from '../../../lib/route.ts';
import { queryTables } from './operations.ts';
import type { Questions } from './service.ts';

export const queryRoutes = (questions: Questions): Route[] => [
  handle(queryTables, (scope, { body }) => questions.ask(scope, body)),
];
