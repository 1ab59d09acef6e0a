import type { Scope } from '../../lib/scope.ts';

/** Finds what a budget is for; each throws "not found" for what the caller can't reach. */
export interface BudgetSubjects {
  /** Returns the id of a workspace that the caller may administer. */
  workspace(scope: Scope, id: string): Promise<string>;
  /** An agent of the caller's workspace. */
  agent(scope: Scope, id: string): Promise<unknown>;
  /** A key of the caller's workspace. */
  key(scope: Scope, id: string): Promise<{ line: string | null; tenant_admin: boolean }>;
  /** A member of the workspace; undefined: anybody with an account. */
  person(scope: Scope, id: string, workspace_id: string | undefined): Promise<unknown>;
}

/** Notified when a budget was made, changed or deleted. */
export const budgetsTopic = 'budgets';
