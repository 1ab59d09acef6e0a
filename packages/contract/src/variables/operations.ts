import { operation } from '../operation.ts';
import { paged, success } from '../page.ts';
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
  tag,
  permission: 'variables_read',
  query: variableQuery,
  answer: paged(variable),
});

export const createVariable = operation({
  id: 'variables.create',
  route: variablesRoutes['variables.create'],
  summary: 'Create a variable or secret',
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
  tag,
  permission: 'variables_read',
  params: variableParams,
  answer: variable,
});

export const updateVariable = operation({
  id: 'variables.update',
  route: variablesRoutes['variables.update'],
  summary: 'Update a variable or secret',
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
  tag,
  permission: 'variables_edit',
  params: variableParams,
  query: variableDeleteQuery,
  answer: success,
});

export const variablesOperations = [listVariables, createVariable, getVariable, updateVariable, deleteVariable];
