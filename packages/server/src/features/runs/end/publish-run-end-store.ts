import type { RunError } from '@atrium/contract/runs/events.ts';
import { nothing, type Sql, sql } from '../../../db/sql.ts';
import type { RunRow } from '../store.ts';

/**
 * The statement that says that an answer is over, or waits for a person, to those who listen. In a larger statement
 * `after` names the part of it that must have had a row.
 */
export function announcingEnd(
  run: Pick<RunRow, 'id' | 'group_id' | 'conversation_id' | 'principal'>,
  { status, error }: { status: RunRow['status']; error: RunError | null },
  after?: Sql,
): Sql {
  const waits = status === 'awaiting_human_feedback';
  const events = waits ? ['conversation.waiting'] : ['conversation.ended', `run.${status}`];
  return sql`
    insert into outbox (workspace_id, event, subject_id, cause, data)
    select c.workspace_id, happened, c.assistant_id, ${run.principal.actor.delivery_id ?? null}::text, json_build_object('run_id', ${run.id}::text,
      'conversation_id', c.id, 'assistant_id', c.assistant_id, 'status', ${status}::text,
      'error', ${error && JSON.stringify(error)}::json)
    from conversations c, unnest(${events}::text[]) as happened
    where c.workspace_id = ${run.group_id} and c.id = ${run.conversation_id}
      and someone_listens(c.workspace_id, happened) ${after ? sql`and exists (select from ${after})` : nothing}`;
}
