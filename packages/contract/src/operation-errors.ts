/** An error that an operation answers with, besides those of every operation (a bad key, a missing permission, 422). */
export interface OperationError {
  status: 401 | 403 | 404 | 409 | 413 | 423 | 429 | 502 | 503;
  /** The `code` of the answer, which programs branch on. */
  code: string;
  /** When it is answered. */
  description: string;
}

export const noSuch = (what: string): OperationError => ({
  status: 404,
  code: 'not_found',
  description: `There is no such ${what}, or it belongs to another workspace.`,
});

export const refused = (code: string, description: string): OperationError => ({ status: 403, code, description });

export const conflicts = (code: string, description: string): OperationError => ({ status: 409, code, description });

/** For operations that call models or start work that does. */
export const budgetReached = conflicts(
  'budget_reached',
  'A budget of the organization, the workspace, the agent, the key or the person is used up until its day or month is over.',
);
