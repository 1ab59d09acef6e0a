import type { Budget, BudgetCreate, BudgetPatch, BudgetQuery } from '@atrium/contract/budgets/schema.ts';
import { conflict, forbidden, invalid, notFound } from '@atrium/contract/errors.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { pick } from '../../lib/pick.ts';
import type { Scope } from '../../lib/scope.ts';
import { boundsOf, firstDayOf, zoneOf } from './budget-period.ts';
import { type BudgetSubjects, budgetsTopic } from './ports.ts';
import * as store from './store.ts';

export { type CallBudgets, makeCallBudgets } from './call-budgets.ts';

/** The budgets of an organization, for its administrators. */
export interface Budgets {
  list(scope: Scope, query: BudgetQuery): Promise<Paged<Budget>>;
  get(scope: Scope, id: string): Promise<Budget>;
  create(scope: Scope, input: BudgetCreate): Promise<Budget>;
  update(scope: Scope, id: string, patch: BudgetPatch): Promise<Budget>;
  remove(scope: Scope, id: string): Promise<void>;
}

/** Every model call looks through all of them. */
const most = 1000;
/** Fewer for administrators of one workspace, who could use up what the organization needs. */
const mostOfWorkspace = 100;
const nanoOf = (dollars: number | undefined) => (dollars === undefined ? null : Math.round(dollars * 1e9));
const dollarsOf = (nano: number) => nano / 1e9;

const noFigures: Omit<store.PeriodRow, 'budget_id'> = {
  ...{ tokens_used: 0, tokens_reserved: 0, tokens_over: 0, nano_used: 0, nano_reserved: 0, nano_over: 0 },
  ...{ warned_at: null, reached_at: null },
};

const scopeNameOf = ({ agent_id, key_id, person_id, workspace_id }: store.BudgetRow): Budget['scope'] => {
  if (agent_id) return 'agent';
  if (key_id) return 'key';
  if (person_id) return 'person';
  return workspace_id ? 'workspace' : 'organization';
};

const leftOf = (limit: number | null, used: number, reserved: number) =>
  limit === null ? null : Math.max(0, limit - used - reserved);

function shown(row: store.BudgetRow, figures: Omit<store.PeriodRow, 'budget_id'>, at: number): Budget {
  const { id, name, workspace_id: group_id, agent_id, key_id, person_id, max_nano, max_tokens } = row;
  const { tokens_used, tokens_reserved, nano_used, nano_reserved, warned_at, reached_at } = figures;
  const isReached =
    reached_at !== null ||
    (max_tokens !== null && tokens_used >= max_tokens) ||
    (max_nano !== null && nano_used >= max_nano);
  const left_nano = leftOf(max_nano, nano_used, nano_reserved);
  return {
    ...{ id, name, scope: scopeNameOf(row), group_id, agent_id, key_id, person_id },
    max_cost: max_nano === null ? null : dollarsOf(max_nano),
    ...{ max_tokens, period: row.period, time_zone: row.time_zone, warn_at: row.warn_at },
    set_by_organization: row.set_by_organization,
    state: isReached ? 'reached' : warned_at ? 'warned' : 'ok',
    ...boundsOf(row, at),
    used: { tokens: tokens_used, cost: dollarsOf(nano_used) },
    reserved: { tokens: tokens_reserved, cost: dollarsOf(nano_reserved) },
    left: {
      tokens: leftOf(max_tokens, tokens_used, tokens_reserved),
      cost: left_nano === null ? null : dollarsOf(left_nano),
    },
    over: { tokens: figures.tokens_over, cost: dollarsOf(figures.nano_over) },
    ...{ warned_at, reached_at, created_at: row.created_at, updated_at: row.updated_at, etag: row.etag },
  };
}

/** What the audit log says of a budget: what it limits and how much, not what is used. */
function auditNoteOf(before: Budget | null, after: Budget | null) {
  const fields = ['name', 'scope', 'group_id', 'agent_id', 'key_id', 'person_id'] as const;
  const limits = ['max_cost', 'max_tokens', 'period', 'time_zone', 'warn_at'] as const;
  const shownOf = (budget: Budget | null) => budget && { ...pick(budget, fields), ...pick(budget, limits) };
  const { id = '', name = '' } = after ?? before ?? {};
  return { target: { kind: 'budget', id, name }, before: shownOf(before), after: shownOf(after) };
}

function requireTimeZone(time_zone: string): void {
  try {
    zoneOf(time_zone);
  } catch {
    throw invalid(['body', 'time_zone'], 'there is no such time zone; give it as Europe/Berlin', time_zone);
  }
}

export function makeBudgets(deps: {
  db: Database;
  notifier: Notifier;
  clock: Clock;
  subjects: BudgetSubjects;
}): Budgets {
  const { db, notifier, clock, subjects } = deps;

  async function present(on: Db, rows: readonly store.BudgetRow[]): Promise<Budget[]> {
    const at = clock.now();
    const days = rows.map((row) => ({ id: row.id, day: firstDayOf(row, at) }));
    const figures = new Map((await store.periodsOf(on, days)).map((row) => [row.budget_id, row]));
    return rows.map((row) => shown(row, figures.get(row.id) ?? noFigures, at));
  }
  const presentOne = async (on: Db, row: store.BudgetRow) => (await present(on, [row]))[0] as Budget;

  /** An administrator of a workspace sees and changes only the budgets of that workspace. */
  async function find(on: Db, scope: Scope, id: string): Promise<store.BudgetRow> {
    const row = await store.findBudget(on, scope.tenant_id, id);
    if (!row || !(scope.tenant_admin || row.workspace_id === scope.workspace_id)) throw notFound('budget');
    return row;
  }

  /** A workspace can't lift a limit that the organization has set for it. */
  async function findChangeable(tx: Db, scope: Scope, id: string): Promise<store.BudgetRow> {
    const row = await find(tx, scope, id);
    if (row.set_by_organization && !scope.tenant_admin)
      throw forbidden('The organization has set this budget; an administrator of the organization can change it');
    return row;
  }

  function requireOrganization(scope: Scope): void {
    if (!scope.tenant_admin)
      throw forbidden('A budget beyond one workspace needs an administrator of the organization; name a group_id');
  }

  /** What the new budget limits. */
  async function subjectOf(scope: Scope, { group_id, agent_id, key_id, person_id }: BudgetCreate) {
    const nothing = { workspace_id: null, agent_id: null, key_id: null, key_line: null, person_id: null };
    const { workspace_id } = scope;
    if ([agent_id, key_id, person_id].filter(Boolean).length > 1)
      throw invalid(['body'], 'a budget is for one agent, one key or one person: make one for each', null);
    const reached = group_id === undefined ? undefined : await subjects.workspace(scope, group_id);
    if (reached !== undefined && reached !== workspace_id && (agent_id || key_id))
      throw invalid(['body', 'group_id'], 'agents and keys are those of the workspace of the request', group_id);
    if (agent_id) {
      await subjects.agent(scope, agent_id);
      return { ...nothing, workspace_id, agent_id };
    }
    if (key_id) {
      const { line, tenant_admin } = await subjects.key(scope, key_id);
      if (tenant_admin) requireOrganization(scope);
      return { ...nothing, workspace_id, key_id, key_line: line };
    }
    if (reached === undefined) requireOrganization(scope);
    if (person_id) await subjects.person(scope, person_id, scope.tenant_admin ? undefined : reached);
    return { ...nothing, workspace_id: reached ?? null, person_id: person_id ?? null };
  }

  /** Every node reads the budgets again. */
  async function change<T>(scope: Scope, work: (tx: Db) => Promise<T>): Promise<T> {
    const result = await db.transaction(scope, async (tx) => {
      const made = await work(tx);
      await notifier.notify(tx, budgetsTopic);
      return made;
    });
    notifier.notifyLocal(budgetsTopic);
    return result;
  }

  return {
    async list(scope, { group_id, ...query }) {
      const window = pageOf(query);
      const asked = group_id === undefined ? undefined : await subjects.workspace(scope, group_id);
      const workspace_id = scope.tenant_admin ? asked : scope.workspace_id;
      const { rows, total, last } = await store.listBudgets(db, scope.tenant_id, workspace_id, query, window);
      return pageAnswer(await present(db, rows), total, window, last);
    },

    get: async (scope, id) => presentOne(db, await find(db, scope, id)),

    async create(scope, input) {
      const { name, max_cost, max_tokens = null, period, time_zone, warn_at } = input;
      if (max_cost === undefined && max_tokens === null)
        throw invalid(['body', 'max_cost'], 'a budget needs max_cost, max_tokens or both', null);
      requireTimeZone(time_zone);
      const subject = await subjectOf(scope, input);
      return change(scope, async (tx) => {
        if ((await store.countBudgets(tx, scope.tenant_id)) >= most)
          throw conflict(`The organization has ${most} budgets already`);
        if (
          !scope.tenant_admin &&
          (await store.countBudgets(tx, scope.tenant_id, scope.workspace_id)) >= mostOfWorkspace
        )
          throw conflict(`The workspace has ${mostOfWorkspace} budgets already`);
        const fields = {
          ...{ id: newId(), name, period, time_zone, max_nano: nanoOf(max_cost), max_tokens, warn_at },
          set_by_organization: scope.tenant_admin,
        };
        const made = await presentOne(tx, await store.insertBudget(tx, scope.tenant_id, { ...fields, ...subject }));
        scope.audit?.note(auditNoteOf(null, made));
        return made;
      });
    },

    update: (scope, id, patch) =>
      change(scope, async (tx) => {
        const before = await findChangeable(tx, scope, id);
        const { name = before.name, max_tokens = before.max_tokens, warn_at = before.warn_at } = patch;
        const max_nano = patch.max_cost === undefined ? before.max_nano : nanoOf(patch.max_cost);
        const row = await store.updateBudget(tx, scope.tenant_id, { id, name, max_nano, max_tokens, warn_at });
        if (!row) throw notFound('budget');
        await store.resetMarks(tx, id);
        const after = await presentOne(tx, row);
        scope.audit?.note(auditNoteOf(await presentOne(tx, before), after));
        return after;
      }),

    async remove(scope, id) {
      await change(scope, async (tx) => {
        scope.audit?.note(auditNoteOf(await presentOne(tx, await findChangeable(tx, scope, id)), null));
        if (!(await store.deleteBudget(tx, scope.tenant_id, id))) throw notFound('budget');
      });
    },
  };
}
