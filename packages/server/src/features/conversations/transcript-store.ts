import type { RunStatus } from '@atrium/contract/conversations/schema.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import { nothing, type Sql, sql } from '../../db/sql.ts';
import * as messages from './message-store.ts';
import type { ConversationRow } from './store.ts';

/**
 * The parts of a statement that stores a user's message and marks the conversation as running. It has no effect, `counted`
 * being empty, when the conversation was changed since it was read, or when the caller's `where` does not hold.
 */
export const userMessageStatement = (
  row: ConversationRow,
  settings: Pick<Settings, 'usage_limits_maximum_tokens'>,
  message: messages.NewMessage,
  name: string,
  where: Sql,
  /** Model calls and tokens that are reserved for the run from its beginning. */
  { tokens, calls }: { tokens: number; calls: number },
): Sql =>
  messages.appending(row.group_id, row.id, message, {
    set: sql`, status = 'running', name = coalesce(name, ${name}),
          tokens_reserved = tokens_reserved + ${tokens}::bigint, run_calls = ${calls}::int`,
    where: sql`and etag_ms || '-' || etag_seq = ${row.etag}
          and tokens_used + tokens_reserved + ${tokens}::bigint <= ${settings.usage_limits_maximum_tokens}::bigint
          and tokens_used < ${settings.usage_limits_maximum_tokens}::bigint and ${where}`,
  });

export interface ReplyOptions {
  run_id: string;
  status: RunStatus;
  /** The tokens that the whole run has used; null where they were charged already. */
  tokens: number | null;
  /** Whether the message is stored already and is written anew. */
  stored: boolean;
}

/**
 * The parts of a statement that stores a reply. `locked` comes first and locks the conversation before the run, in the
 * order of all other statements; `appended` stores the reply if `held`, which the caller adds, has a row. Without a
 * message only the status changes.
 */
export function replyStatement(
  workspace_id: string,
  id: string,
  message: messages.NewMessage | null,
  { run_id, status, tokens, stored }: ReplyOptions,
): { locked: Sql; appended: Sql } {
  // The run's reservation ends with it. A conversation that others asked for has given it back before: theirs would
  // have to be locked first.
  const used = sql`tokens_used = tokens_used + ${tokens}::bigint - coalesce((select usage_settled from holding), 0),`;
  const besides = {
    set: sql`, status = ${status}, ${tokens === null ? nothing : used}
          tokens_reserved = greatest(0, tokens_reserved - coalesce((select tokens_held from holding), 0))`,
    where: sql`and exists (select 1 from held)`,
  };
  const write = stored ? messages.rewriting : messages.appending;
  return {
    locked: sql`locked as (
          select charged_to from conversations where workspace_id = ${workspace_id} and id = ${id} for no key update),
        holding as (
          select usage_settled, case when charged_to is null then tokens_held else 0 end as tokens_held
          from runs, locked where workspace_id = ${workspace_id} and id = ${run_id})`,
    appended: message ? write(workspace_id, id, message, besides) : messages.counting(workspace_id, id, besides),
  };
}
