import { notFound } from '@atrium/contract/errors.ts';
import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import type { Agents } from '../features/agents/service.ts';
import { budgetRoutes } from '../features/budgets/handlers.ts';
import { budgetJobs } from '../features/budgets/jobs.ts';
import type { BudgetSubjects } from '../features/budgets/ports.ts';
import { makeBudgets } from '../features/budgets/service.ts';
import { findKey } from '../features/keys/service.ts';
import { findMember, findPerson } from '../features/people/service.ts';
import type { Workspaces } from '../features/workspaces/service.ts';
import type { Clock } from '../lib/clock.ts';

/** Composes the budgets of organizations, workspaces, agents, keys and people, for their administrators. */
export function composeBudgets(deps: {
  db: Database;
  notifier: Notifier;
  clock: Clock;
  workspaces: Workspaces;
  agents: Agents;
}) {
  const { db, notifier, clock, workspaces, agents } = deps;
  const subjects: BudgetSubjects = {
    workspace: workspaces.reach,
    agent: agents.get,
    async key(scope, id) {
      const key = await findKey(db, scope.workspace_id, id);
      if (!key) throw notFound('API key');
      return key;
    },
    async person(scope, id, workspace_id) {
      const isKnown =
        workspace_id === undefined ? findPerson(db, scope.tenant_id, id) : findMember(db, workspace_id, id);
      if (!(await isKnown)) throw notFound('person');
    },
  };
  const budgets = makeBudgets({ db, notifier, clock, subjects });
  return { routes: budgetRoutes(budgets), jobs: budgetJobs({ db }) };
}
