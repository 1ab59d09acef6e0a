import { operation } from '../operation.ts';
import { conflicts, noSuch, refused } from '../operation-errors.ts';
import { success } from '../page.ts';
import { budgetsRoutes } from './routes.ts';
import { budget, budgetCreate, budgetPage, budgetParams, budgetPatch, budgetQuery } from './schema.ts';

const tag = 'Budgets';
const forOrganization = refused('forbidden', 'Only an administrator of the organization may.');

export const listBudgets = operation({
  id: 'budgets.list',
  route: budgetsRoutes['budgets.list'],
  summary: 'List budgets',
  description:
    'Returns budgets with what is used, reserved and left in their present period. Administrators of the organization see all budgets, those of a workspace the ones of the workspace, its agents, keys and people.',
  tag,
  permission: 'workspace_admin',
  query: budgetQuery,
  answer: budgetPage,
});

export const createBudget = operation({
  id: 'budgets.create',
  route: budgetsRoutes['budgets.create'],
  summary: 'Create a budget',
  description:
    'Limits the money and the tokens that model calls may use in a day or a month. It counts calls from its creation on, for replies, guardrails, titles, summaries, embeddings and all other uses. Every budget that applies to a call must have room for it. Budgets of the organization, and of a person in all workspaces, need an administrator of the organization.',
  tag,
  permission: 'workspace_admin',
  body: budgetCreate,
  example: {
    name: 'Support, monthly',
    group_id: '0198c5a2-6f00-7000-8000-000000000001',
    max_cost: 500,
    period: 'month',
    time_zone: 'Europe/Berlin',
  },
  errors: [
    forOrganization,
    noSuch('workspace, agent, API key or person'),
    conflicts('conflict', 'There are too many budgets.'),
  ],
  answer: budget,
});

export const getBudget = operation({
  id: 'budgets.get',
  route: budgetsRoutes['budgets.get'],
  summary: 'Get a budget',
  description: 'Returns a budget with what is used, reserved and left in its present period.',
  tag,
  permission: 'workspace_admin',
  params: budgetParams,
  errors: [noSuch('budget')],
  answer: budget,
});

export const updateBudget = operation({
  id: 'budgets.update',
  route: budgetsRoutes['budgets.update'],
  summary: 'Change a budget',
  description:
    'Changes the name, the limits or the percentage at which to warn, and keeps the others. It holds for the next model call; calls under way keep what they were granted. A budget that was reached and has room again lets calls through at once.',
  tag,
  permission: 'workspace_admin',
  params: budgetParams,
  body: budgetPatch,
  example: { max_cost: 800 },
  errors: [noSuch('budget')],
  answer: budget,
});

export const deleteBudget = operation({
  id: 'budgets.delete',
  route: budgetsRoutes['budgets.delete'],
  summary: 'Delete a budget',
  description: 'Deletes a budget with its figures. Calls under way go on.',
  tag,
  permission: 'workspace_admin',
  params: budgetParams,
  errors: [noSuch('budget')],
  answer: success,
});

export const budgetsOperations = [listBudgets, createBudget, getBudget, updateBudget, deleteBudget];
