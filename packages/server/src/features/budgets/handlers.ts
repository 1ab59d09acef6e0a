import {
  createBudget,
  deleteBudget,
  getBudget,
  listBudgets,
  updateBudget,
} from '@atrium/contract/budgets/operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Budgets } from './service.ts';

export const budgetRoutes = (budgets: Budgets): Route[] => [
  handle(listBudgets, (scope, { query }) => budgets.list(scope, query)),
  handle(createBudget, (scope, { body }) => budgets.create(scope, body)),
  handle(getBudget, (scope, { params }) => budgets.get(scope, params.budget_id)),
  handle(updateBudget, (scope, { params, body }) => budgets.update(scope, params.budget_id, body)),
  handle(deleteBudget, async (scope, { params }) => {
    await budgets.remove(scope, params.budget_id);
    return done;
  }),
];
