import { defineRoute, type Route } from '../../../lib/route.ts';
import { queryAnswer, queryBody } from './schema.ts';
import type { Questions } from './service.ts';

export const queryRoutes = (questions: Questions): Route[] => [
  defineRoute({
    route: 'POST /v1/tables/query',
    summary: 'Ask a question in SQL: one SELECT over the tables of the workspace',
    tag: 'Tables',
    permission: 'tables_read',
    body: queryBody,
    example: { sql: 'select count(*) as conversations from conversations' },
    answer: queryAnswer,
    handler: (scope, { body }) => questions.ask(scope, body),
  }),
];
