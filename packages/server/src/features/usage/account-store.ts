import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { TokenAccount } from '../../lib/scope.ts';

/** The run whose row records the reservation. */
export interface Holder {
  kind: 'run' | 'workflow_run';
  workspace_id: string;
  id: string;
}

/** A change of what is used and reserved on all accounts of a run. */
export interface Charge {
  /** Tokens to reserve. */
  take?: number;
  /** Reserved tokens to give back. */
  give?: number;
  /** Tokens that were used. */
  spent?: number;
  /** The part of `spent` that the run's log counts as well. */
  settled?: number;
  /** Model calls to count; fewer than 0 takes some back. */
  calls?: number;
}

/** The account that has no room. */
export interface Refusal {
  account: string;
  used: number;
  /** By other calls. */
  reserved: number;
  calls_made: number;
}

/** Undefined when all accounts were charged; a refusal charges none. */
export const chargeAccounts = (db: Db, holder: Holder, accounts: readonly TokenAccount[], charge: Charge) => {
  const { take = 0, give = 0, spent = 0, settled = 0, calls = 0 } = charge;
  return db.row<Refusal>(sql`
    select * from charge_accounts(${holder.workspace_id}::uuid,
      ${accounts.map(({ conversation_id }) => conversation_id)}::uuid[],
      ${accounts.map(({ most_tokens }) => most_tokens)}::bigint[],
      ${accounts.map(({ most_calls }) => most_calls)}::bigint[], ${take}::bigint, ${give}::bigint, ${spent}::bigint,
      ${settled}::bigint, ${calls}::integer, ${holder.kind}::text, ${holder.id}::uuid)`);
};

/** The conversations that a run was begun for. */
const inPrincipal = (run: Sql) =>
  sql`select (e ->> 'conversation_id')::uuid from json_array_elements(${run}.principal -> 'accounts') e`;

/** Releases the reservations of finished runs, as after a crash between a call and its settlement. */
export async function sweepFinishedHolders(db: Db): Promise<number> {
  const runs = await db.rows<{ workspace_id: string; id: string; held: number; accounts: string[] }>(sql`
    select r.workspace_id, r.id, r.tokens_held as held,
      c.charged_to || c.id || array(${inPrincipal(sql`r`)}) as accounts
    from runs r join conversations c on c.workspace_id = r.workspace_id and c.id = r.conversation_id
    where r.tokens_held > 0 and r.finished_at < now() - interval '5 minutes'`);
  const flows = await db.rows<{ workspace_id: string; id: string; held: number; accounts: string[] }>(sql`
    select w.workspace_id, w.id, w.tokens_held as held,
      array(${inPrincipal(sql`w`)}) as accounts
    from workflow_runs w where w.tokens_held > 0 and w.finished_at < now() - interval '5 minutes'`);
  for (const [kind, rows] of [['run', runs] as const, ['workflow_run', flows] as const])
    for (const { workspace_id, id, held, accounts } of rows)
      await chargeAccounts(
        db,
        { kind, workspace_id, id },
        accounts.map((conversation_id) => ({ conversation_id, most_tokens: 0, most_calls: 0 })),
        { give: held },
      );
  return runs.length + flows.length;
}

/**
 * Releases the reservations of deleted runs. An account that was changed in the meantime is left for the next sweep.
 */
export const sweepDeletedHolders = (db: Db) =>
  db.run(sql`
    update conversations c set tokens_reserved = 0
    from (
      select a.workspace_id, a.id, a.tokens_reserved from conversations a
      where a.tokens_reserved > 0
        and not exists (
          select 1 from runs r join conversations o on o.workspace_id = r.workspace_id and o.id = r.conversation_id
          where r.workspace_id = a.workspace_id and r.tokens_held > 0
            and (o.id = a.id or a.id = any(o.charged_to) or a.id in (${inPrincipal(sql`r`)})))
        and not exists (
          select 1 from workflow_runs w
          where w.workspace_id = a.workspace_id and w.tokens_held > 0 and a.id in (${inPrincipal(sql`w`)}))
    ) as left_over
    where c.workspace_id = left_over.workspace_id and c.id = left_over.id
      and c.tokens_reserved = left_over.tokens_reserved`);
