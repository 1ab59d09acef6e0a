import { operation } from '../../operation.ts';
import { queryRoutes } from './routes.ts';
import { queryAnswer, queryBody } from './schema.ts';

export const queryTables = operation({
  id: 'tables.query',
  route: queryRoutes['tables.query'],
  summary: 'Query tables with SQL',
  description:
    'Runs one read-only SELECT over the tables of the workspace and, for callers with the permission `conversations_read`, over the tables of the platform. Tables are named by `sql_name`; values go into `params`. Queries end after 5 seconds or 8 MB of results with 409, and two run at a time in a workspace.',
  tag: 'Tables',
  permission: 'tables_read',
  audit: { none: 'it changes nothing' },
  body: queryBody,
  example: { sql: 'select count(*) as conversations from conversations' },
  answer: queryAnswer,
});

export const tableQueryOperations = [queryTables];
