import { done } from '@atrium/contract/page.ts';
import {
  createVariable,
  deleteVariable,
  getVariable,
  listVariables,
  updateVariable,
} from '@atrium/contract/variables/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Variables } from './service.ts';

export const variableRoutes = (variables: Variables): Route[] => [
  handle(listVariables, (scope, { query }) => variables.list(scope, query)),
  handle(createVariable, (scope, { body }) => variables.create(scope, body)),
  handle(getVariable, (scope, { params }) => variables.get(scope, params.variable_id)),
  handle(updateVariable, (scope, { params, body }) => variables.update(scope, params.variable_id, body)),
  handle(deleteVariable, async (scope, { params, query }) => {
    await variables.remove(scope, params.variable_id, query);
    return done;
  }),
];
