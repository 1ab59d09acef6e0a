import { operation } from '../operation.ts';
import { paged, success, summaryOf } from '../page.ts';
import { variablesRoutes } from './routes.ts';
import {
  variable,
  variableCreate,
  variableDeleteQuery,
  variableParams,
  variablePatch,
  variableQuery,
} from './schema.ts';

const tag = 'Variables';

export const listVariables = operation({
  id: 'variables.list',
  route: variablesRoutes['variables.list'],
  summary: 'List the variables and secrets of the workspace, by name',
  description:
    'Returns the variables and secrets that agents and workflows of the workspace can name, page by page. Values of secrets are never part of the answer.',
  tag,
  permission: 'variables_read',
  query: variableQuery,
  answer: paged(
    variable,
    summaryOf(variable, ['id', 'name', 'type', 'source', 'is_secret', 'created_at', 'updated_at']),
  ),
});

export const createVariable = operation({
  id: 'variables.create',
  route: variablesRoutes['variables.create'],
  summary: 'Create a variable or secret',
  description:
    'Creates a variable, or a secret when `is_secret` is true. A secret needs `allowed_hosts`, and its value can be replaced but not read again. The name must be free in the workspace.',
  tag,
  permission: 'variables_edit',
  body: variableCreate,
  example: {
    ...{ name: 'api_token', type: 'string', source: 'inline', is_secret: true, inline_value: 'example' },
    allowed_hosts: ['api.example.com'],
  },
  answer: variable,
});

export const getVariable = operation({
  id: 'variables.get',
  route: variablesRoutes['variables.get'],
  summary: "Get a variable; a secret's value is never shown",
  description:
    'Returns one variable. Use it to see where the value is kept and which hosts a secret may be sent to; the value of a secret is null.',
  tag,
  permission: 'variables_read',
  params: variableParams,
  answer: variable,
});

export const updateVariable = operation({
  id: 'variables.update',
  route: variablesRoutes['variables.update'],
  summary: 'Update a variable or secret',
  description:
    'Changes the given fields and keeps the others. An empty string means that a field is not given, so all fields may be sent; `inline_value: ""` sets an empty value when nothing but its source is sent with it. To move a secret to other hosts or to another source, send its value again.',
  tag,
  permission: 'variables_edit',
  params: variableParams,
  body: variablePatch,
  example: { name: 'api_token_2' },
  answer: variable,
});

export const deleteVariable = operation({
  id: 'variables.delete',
  route: variablesRoutes['variables.delete'],
  summary: 'Delete a variable; one in use only with force=true',
  description:
    'Deletes a variable. When agents, conversations or workflows still name it, the request fails with 409 unless `force` is true; they then fail when they next use it.',
  tag,
  permission: 'variables_edit',
  params: variableParams,
  query: variableDeleteQuery,
  answer: success,
});

export const variablesOperations = [listVariables, createVariable, getVariable, updateVariable, deleteVariable];
