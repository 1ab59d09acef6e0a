import { operation } from '../operation.ts';
import { searchRoutes } from './routes.ts';
import { searchAnswer, searchQuery } from './schema.ts';

export const findEverything = operation({
  id: 'search.find',
  route: searchRoutes['search.find'],
  summary: 'Search everything',
  description:
    'Finds agents, conversations, messages, knowledge bases, documents, passages, tables, columns, workflows, steps, variables by name, settings and operations of the API, grouped by type. A caller finds what its lists show and nothing else; types whose permission it lacks have no group. Messages of replaced branches, tool results and reasoning are not searched. With `ATRIUM_ENCRYPT_AT_REST` conversations and messages cannot be searched, and `left_out` says so.',
  tag: 'Search',
  permission: ['agents_run', 'kbs_query', 'tables_read', 'flows_run', 'variables_read'],
  query: searchQuery,
  answer: searchAnswer,
});

export const findOperations = [findEverything];
