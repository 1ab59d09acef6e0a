import { operation } from '../../operation.ts';
import { queryRoutes } from './routes.ts';
import { queryAnswer, queryBody } from './schema.ts';

export const queryTables = operation({
  id: 'tables.query',
  route: queryRoutes['tables.query'],
  summary: 'Ask a question in SQL: one SELECT over the tables of the workspace',
  tag: 'Tables',
  permission: 'tables_read',
  body: queryBody,
  example: { sql: 'select count(*) as conversations from conversations' },
  answer: queryAnswer,
});

export const tableQueryOperations = [queryTables];
