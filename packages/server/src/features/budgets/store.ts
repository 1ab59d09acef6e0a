import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions, oldestFirst } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { nothing, sql } from '../../db/sql.ts';

/** A budget as it is stored. Money is in billionths of a US dollar. */
export interface BudgetRow {
  id: string;
  workspace_id: string | null;
  agent_id: string | null;
  key_id: string | null;
  key_line: string | null;
  person_id: string | null;
  name: string;
  period: 'day' | 'month';
  time_zone: string;
  max_nano: number | null;
  max_tokens: number | null;
  warn_at: number;
  set_by_organization: boolean;
  created_at: string;
  updated_at: string;
  etag: string;
}

/** The figures of one period. */
export interface PeriodRow {
  budget_id: string;
  tokens_used: number;
  tokens_reserved: number;
  tokens_over: number;
  nano_used: number;
  nano_reserved: number;
  nano_over: number;
  warned_at: string | null;
  reached_at: string | null;
}

/** A budget and the first day of one of its periods. */
export interface BudgetDay {
  id: string;
  day: string;
}

const columns = sql`id, workspace_id, agent_id, key_id, key_line, person_id, name, period, time_zone, max_nano,
  max_tokens, warn_at, set_by_organization, created_at, updated_at, etag::text as etag`;

export const allBudgets = (db: Db, tenant_id: string) =>
  db.rows<BudgetRow>(sql`select ${columns} from budgets where tenant_id = ${tenant_id} order by id`);

const listColumns: ListColumns = {
  id: sql`id`,
  created_at: sql`created_at`,
  updated_at: sql`updated_at`,
  search: [sql`name`],
  sort: { name: sql`lower(name)`, updated_at: sql`updated_at` },
};

/** `workspace_id`: only those of this workspace. */
export async function listBudgets(
  db: Db,
  tenant_id: string,
  workspace_id: string | undefined,
  filter: ListFilter,
  window: PageWindow,
) {
  const where = sql`tenant_id = ${tenant_id}
    ${workspace_id === undefined ? nothing : sql`and workspace_id = ${workspace_id}`}
    ${listConditions(listColumns, filter)}`;
  return readPage<BudgetRow>(db, {
    ...{ columns, from: sql`budgets`, where, list: listColumns, order: oldestFirst, window },
  });
}

/** Of the organization, or only those of one workspace. */
export const countBudgets = async (db: Db, tenant_id: string, workspace_id?: string) =>
  (
    await db.one<{ total: number }>(sql`
      select count(*) as total from budgets where tenant_id = ${tenant_id}
        ${workspace_id === undefined ? nothing : sql`and workspace_id = ${workspace_id}`}`)
  ).total;

export const findBudget = (db: Db, tenant_id: string, id: string) =>
  db.row<BudgetRow>(sql`select ${columns} from budgets where tenant_id = ${tenant_id} and id = ${id}`);

export const insertBudget = (
  db: Db,
  tenant_id: string,
  {
    id,
    name,
    period,
    time_zone,
    max_nano,
    max_tokens,
    warn_at,
    ...of
  }: Omit<BudgetRow, 'created_at' | 'updated_at' | 'etag'>,
) =>
  db.one<BudgetRow>(sql`
    insert into budgets (id, tenant_id, workspace_id, agent_id, key_id, key_line, person_id, name, period, time_zone,
      max_nano, max_tokens, warn_at, set_by_organization)
    values (${id}, ${tenant_id}, ${of.workspace_id}, ${of.agent_id}, ${of.key_id}, ${of.key_line}, ${of.person_id},
      ${name}, ${period}, ${time_zone}, ${max_nano}, ${max_tokens}, ${warn_at}, ${of.set_by_organization})
    returning ${columns}`);

export const updateBudget = (
  db: Db,
  tenant_id: string,
  { id, name, max_nano, max_tokens, warn_at }: Pick<BudgetRow, 'id' | 'name' | 'max_nano' | 'max_tokens' | 'warn_at'>,
) =>
  db.row<BudgetRow>(sql`
    update budgets set name = ${name}, max_nano = ${max_nano}, max_tokens = ${max_tokens}, warn_at = ${warn_at},
      updated_at = now()
    where tenant_id = ${tenant_id} and id = ${id} returning ${columns}`);

/** Takes back what the new limits of a budget do not say any more: that it was warned of, and that it was reached. */
export const resetMarks = (db: Db, id: string) =>
  db.run(sql`
    update budget_periods u set
      reached_at = case when u.tokens_used >= b.max_tokens or u.nano_used >= b.max_nano
        then coalesce(u.reached_at, now()) end,
      warned_at = case when u.tokens_used * 100 >= b.max_tokens * b.warn_at
          or u.nano_used * 100.0 >= b.max_nano::numeric * b.warn_at then u.warned_at end
    from budgets b where b.id = ${id} and u.budget_id = b.id`);

export const deleteBudget = (db: Db, tenant_id: string, id: string) =>
  db.run(sql`delete from budgets where tenant_id = ${tenant_id} and id = ${id}`);

const idsOf = (days: readonly BudgetDay[]) =>
  sql`${days.map(({ id }) => id)}::uuid[], ${days.map(({ day }) => day)}::date[]`;

export const periodsOf = (db: Db, days: readonly BudgetDay[]) =>
  db.rows<PeriodRow>(sql`
    select u.budget_id, u.tokens_used, u.tokens_reserved, u.tokens_over, u.nano_used, u.nano_reserved, u.nano_over,
      u.warned_at, u.reached_at
    from unnest(${idsOf(days)}) as p (id, day) join budget_periods u on u.budget_id = p.id and u.starts_on = p.day`);

/** The name of the first of these budgets that has nothing left; undefined when all have room. */
export const findReached = (db: Db, days: readonly BudgetDay[]) =>
  db.row<{ id: string; name: string }>(sql`
    select b.id, b.name from unnest(${idsOf(days)}) as p (id, day) join budgets b on b.id = p.id
    left join budget_periods u on u.budget_id = p.id and u.starts_on = p.day
    where u.reached_at is not null or coalesce(u.tokens_used, 0) >= b.max_tokens or coalesce(u.nano_used, 0) >= b.max_nano
    order by b.id limit 1`);

export interface Wanted {
  hold: string;
  node: string;
  input_tokens: number;
  max_tokens: number;
  least_tokens: number;
  /** Billionths of a dollar for a token; null: the model has no price. */
  nano_in: number | null;
  nano_out: number | null;
  /** Rather wait for other calls than shorten the answer. */
  patient: boolean;
}

export const reserve = (db: Db, days: readonly BudgetDay[], wanted: Wanted) =>
  db.one<{ granted: number | null; budget: string | null; waits: boolean; is_new: boolean }>(sql`
    select * from reserve_budgets(${wanted.hold}::uuid, ${wanted.node}::uuid, ${idsOf(days)},
      ${wanted.input_tokens}::bigint, ${wanted.max_tokens}::bigint, ${wanted.least_tokens}::bigint,
      ${wanted.nano_in}::numeric, ${wanted.nano_out}::numeric, ${wanted.patient}::boolean)`);

/** Null amounts: all that was reserved. */
export const settle = (db: Db, hold: string, tokens: number | null, nano: number | null) =>
  db.rows<{ budget: string; event: string }>(sql`
    select * from settle_budgets(${hold}::uuid, ${tokens}::bigint, ${nano}::bigint)`);

/** Says that this process lives for so many more seconds. */
export const renewNode = (db: Db, id: string, seconds: number) =>
  db.run(sql`
    insert into budget_nodes (id, expires_at) values (${id}, now() + make_interval(secs => ${seconds}))
    on conflict (id) do update set expires_at = excluded.expires_at`);

/** The reservations of processes that are gone. */
export const orphanedHolds = (db: Db, limit: number) =>
  db.rows<{ id: string }>(sql`
    select distinct h.id from budget_holds h
    where not exists (select 1 from budget_nodes n where n.id = h.node_id and n.expires_at > now()) limit ${limit}`);

export const deleteGoneNodes = (db: Db) =>
  db.run(sql`
    delete from budget_nodes n where n.expires_at < now() - interval '1 day'
      and not exists (select 1 from budget_holds h where h.node_id = n.id)`);

/** Deletes periods that nobody asks about any more. */
export const deleteOldPeriods = (db: Db) =>
  db.run(sql`delete from budget_periods where starts_on < now() - interval '400 days'`);
