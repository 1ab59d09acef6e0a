import { AppError } from '@atrium/contract/errors.ts';

/** A budget has no room for a model call. Another attempt, address or model does not help. */
export class BudgetReached extends AppError {
  constructor(message: string) {
    super('conflict', message, { code: 'budget_reached' });
  }
}

/** For loops that try the next address: some failures end the whole call. */
export function throwIfFinal(error: unknown): void {
  if (error instanceof BudgetReached) throw error;
}
