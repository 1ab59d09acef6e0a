import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface DueRow {
  workspace_id: string;
  tenant_id: string;
  conversation_id: string;
  agent_id: string;
  /** The time it was put off to while it is analysed, so that no other worker takes it. */
  due_at: string;
}

const mostAttempts = 5;

/** Takes due conversations of one agent, in their order, and puts them off for ten minutes: the time to analyse them. */
export const takeDue = (db: Db, limit: number) =>
  db.rows<DueRow>(sql`
    update insight_due d set due_at = now() + interval '10 minutes', attempts = d.attempts + 1
    from (select workspace_id, conversation_id from insight_due
          where due_at <= now() and attempts < ${mostAttempts} and (workspace_id, agent_id) = (
            select workspace_id, agent_id from insight_due where due_at <= now() and attempts < ${mostAttempts}
            order by due_at, agent_id limit 1)
          order by conversation_id limit ${limit} for update skip locked) t,
      workspaces w
    where d.workspace_id = t.workspace_id and d.conversation_id = t.conversation_id and w.id = d.workspace_id
    returning d.workspace_id, w.tenant_id, d.conversation_id, d.agent_id, d.due_at`);

/** Removes conversations that were analysed. One with a newer message has another due time, and stays. */
export const finishAnalysis = (db: Db, rows: readonly DueRow[]) =>
  db.run(sql`
    delete from insight_due d
    using json_to_recordset(${JSON.stringify(rows)}::json) as own (workspace_id uuid, conversation_id uuid, due_at timestamptz)
    where d.workspace_id = own.workspace_id and d.conversation_id = own.conversation_id and d.due_at = own.due_at`);

export const deleteAbandoned = (db: Db) =>
  db.run(sql`delete from insight_due where attempts >= ${mostAttempts} and due_at < now()`);

export const putCustom = (
  db: Db,
  { workspace_id, conversation_id, agent_id }: DueRow,
  { name, type, answer }: { name: string; type: string; answer: unknown },
) =>
  db.run(sql`
    insert into custom_insights (workspace_id, conversation_id, name, agent_id, type, answer)
    select ${workspace_id}, c.id, ${name}, ${agent_id}, ${type}, ${JSON.stringify(answer)}::json from conversations c
    where c.workspace_id = ${workspace_id} and c.id = ${conversation_id}
    on conflict (workspace_id, conversation_id, name) do update
      set answer = excluded.answer, type = excluded.type, at = now()`);

/** How often each answer to a custom question was given, the most frequent first. */
export const listCustomAnswers = (db: Db, workspace_id: string, agent_id: string, days: number) =>
  db.rows<{ name: string; type: string; answer: string | number | boolean; count: number }>(sql`
    select name, max(type) as type, answer::jsonb as answer, count(*) as count from custom_insights
    where workspace_id = ${workspace_id} and agent_id = ${agent_id}
      and at > now() - make_interval(days => ${days}::int)
    group by name, answer::jsonb order by name, count(*) desc, answer::jsonb`);
