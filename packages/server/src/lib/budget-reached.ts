import { AppError } from '@atrium/contract/errors.ts';
import { isDatabaseOutage } from './outages/database-outages.ts';

/** A budget has no room for a model call. Another attempt, address or model does not help. */
export class BudgetReached extends AppError {
  constructor(message: string) {
    super('conflict', message, { code: 'budget_reached' });
  }
}

/**
 * For loops that try the next address: some failures end the whole call. A database that is away, in which budgets are
 * kept, is not a failure of the model.
 */
export function throwIfFinal(error: unknown): void {
  if (error instanceof BudgetReached || isDatabaseOutage(error)) throw error;
}
