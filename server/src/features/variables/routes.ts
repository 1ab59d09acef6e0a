import { done, paged, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import {
  variable,
  variableCreate,
  variableDeleteQuery,
  variableParams,
  variablePatch,
  variableQuery,
} from './schema.ts';
import type { Variables } from './service.ts';

const tag = 'Variables';

export const variableRoutes = (variables: Variables): Route[] => [
  defineRoute({
    route: 'GET /v1/variables',
    summary: 'List the variables and secrets of the workspace, by name',
    tag,
    permission: 'variables_read',
    query: variableQuery,
    answer: paged(variable),
    handler: (scope, { query }) => variables.list(scope, query),
  }),
  defineRoute({
    route: 'POST /v1/variables',
    summary: 'Create a variable or secret',
    tag,
    permission: 'variables_edit',
    body: variableCreate,
    example: {
      ...{ name: 'api_token', type: 'string', source: 'inline', is_secret: true, inline_value: 'example' },
      allowed_hosts: ['api.example.com'],
    },
    answer: variable,
    handler: (scope, { body }) => variables.create(scope, body),
  }),
  defineRoute({
    route: 'GET /v1/variables/{variable_id}',
    summary: "Get a variable; a secret's value is never shown",
    tag,
    permission: 'variables_read',
    params: variableParams,
    answer: variable,
    handler: (scope, { params }) => variables.get(scope, params.variable_id),
  }),
  defineRoute({
    route: 'PATCH /v1/variables/{variable_id}',
    summary: 'Update a variable or secret',
    tag,
    permission: 'variables_edit',
    params: variableParams,
    body: variablePatch,
    example: { name: 'api_token_2' },
    answer: variable,
    handler: (scope, { params, body }) => variables.update(scope, params.variable_id, body),
  }),
  defineRoute({
    route: 'DELETE /v1/variables/{variable_id}',
    summary: 'Delete a variable; one in use only with force=true',
    tag,
    permission: 'variables_edit',
    params: variableParams,
    query: variableDeleteQuery,
    answer: success,
    handler: async (scope, { params, query }) => {
      await variables.remove(scope, params.variable_id, query);
      return done;
    },
  }),
];
