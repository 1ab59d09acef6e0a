import type { RunStatus } from '@atrium/contract/conversations/schema.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Db } from '../../db/database.ts';
import { nextEtag } from '../../db/etag.ts';
import { nothing, type Sql, sql } from '../../db/sql.ts';
import { storedText, storedTextOrNull } from '../../db/stored-text/stored-text.ts';
import type { SentFiles } from '../messages/ports.ts';
import type { ConversationSummary, LoadedConversation } from './ports.ts';

export interface MessageRow {
  seq: number;
  id: string;
  role: 'user' | 'assistant' | 'system';
  created_at: string;
  /** JSON text of the parts; spliced into answers as it is. */
  parts: string;
  /** JSON text: model, attempts, tokens and cost of a reply. */
  metadata: string | null;
  /** The sender, or the person who answered in place of the agent. */
  written_by: string | null;
  /** What the model was sent of the files of a user's message, by file id. */
  sent_files?: SentFiles | null;
}

export interface NewMessage extends Pick<MessageRow, 'id' | 'role' | 'parts'> {
  metadata?: string | null;
  run_id?: string;
  written_by?: string | null;
  /** The taint of the message; stored on the conversation, where it stays when the message is replaced. */
  brought?: readonly Taint[];
}

const columns = sql`seq, id, role, created_at, parts, metadata, written_by, sent_files`;

/** More columns to set on the conversation (begins with a comma) and more conditions (begins with `and`). */
interface Besides {
  set?: Sql;
  where?: Sql;
}

const storedParts = (workspace_id: string, { id, parts }: NewMessage) =>
  storedText('messages.parts', workspace_id, id, parts);
const storedMetadata = (workspace_id: string, { id, metadata }: NewMessage) =>
  storedTextOrNull('messages.metadata', workspace_id, id, metadata);

const noting = ({ brought = [] }: NewMessage) =>
  brought.length ? sql`, brought = array(select distinct unnest(brought || ${[...brought]}::text[]))` : nothing;

/** Null where a message follows the one before; else the last message that is shown. */
export const parentAfterBranch = (workspace_id: Sql, conversation_id: Sql) => sql`(
          select coalesce((
            select max(seq) from messages
            where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and superseded_by is null), 0)
          from messages before
          where before.workspace_id = ${workspace_id} and before.conversation_id = ${conversation_id}
            and before.seq = message_count - 1 and before.superseded_by is not null)`;

/**
 * The parts of a statement that appends a message: `counted` has a row when it was appended, `appended` is the message. The
 * count on the conversation's row gives the seq, so concurrent appends wait for each other and seq has no gaps.
 */
const appending = (
  workspace_id: string,
  conversation_id: string,
  message: NewMessage,
  { set = nothing, where = nothing }: Besides = {},
) => sql`
    counted as (
      update conversations set message_count = message_count + 1, last_updated_at = now(), ${nextEtag()} ${set}
        ${noting(message)}
      where workspace_id = ${workspace_id} and id = ${conversation_id} ${where} returning message_count),
    appended as (
      insert into messages (workspace_id, conversation_id, seq, id, role, parts, metadata, run_id, written_by, parent_seq)
      select ${workspace_id}, ${conversation_id}, message_count, ${message.id}, ${message.role}, ${storedParts(workspace_id, message)},
        ${storedMetadata(workspace_id, message)}, ${message.run_id ?? null}, ${message.written_by ?? null},
        ${parentAfterBranch(sql`${workspace_id}`, sql`${conversation_id}`)}
      from counted
      returning ${columns})`;

/** The same for a stored message, which is replaced: the reply of a run that paused. */
const rewriting = (
  workspace_id: string,
  conversation_id: string,
  message: NewMessage,
  { set = nothing, where = nothing }: Besides = {},
) => sql`
    ${counting(workspace_id, conversation_id, { set: sql`${set} ${noting(message)}`, where })},
    appended as (
      update messages set parts = ${storedParts(workspace_id, message)}, metadata = ${storedMetadata(workspace_id, message)}
      from counted where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and id = ${message.id}
      returning seq)`;

/** The same without a message: changes the conversation alone. */
const counting = (workspace_id: string, conversation_id: string, { set = nothing, where = nothing }: Besides) => sql`
    counted as (
      update conversations set last_updated_at = now(), ${nextEtag()} ${set}
      where workspace_id = ${workspace_id} and id = ${conversation_id} ${where} returning message_count)`;

export const appendMessage = (db: Db, workspace_id: string, conversation_id: string, message: NewMessage) =>
  db.row<MessageRow>(sql`with ${appending(workspace_id, conversation_id, message)} select ${columns} from appended`);

export const noteSentFiles = (db: Db, workspace_id: string, conversation_id: string, id: string, sent: SentFiles) =>
  db.run(sql`
    update messages set sent_files = ${JSON.stringify(sent)}::json
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and id = ${id}
      and sent_files::text is distinct from ${JSON.stringify(sent)}`);

/** A page of messages before or after a seq. Messages of replaced branches are left out. */
export const readMessages = (
  db: Db,
  workspace_id: string,
  conversation_id: string,
  { after, order, limit }: { after: number | undefined; order: 'newest' | 'oldest'; limit: number },
) => {
  const newest = order === 'newest';
  const beyond = after === undefined ? nothing : newest ? sql`and seq < ${after}` : sql`and seq > ${after}`;
  return db.rows<MessageRow>(sql`
    select ${columns} from messages
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and superseded_by is null
      ${beyond}
    order by seq ${newest ? sql`desc` : nothing} limit ${limit}`);
};

/** The runs that made the answers of a conversation, those of replaced branches left out: one entry for each answer. */
export const listAnswerRuns = (db: Db, workspace_id: string, conversation_id: string) =>
  db.rows<{ run_id: string | null }>(sql`
    select run_id from messages
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and superseded_by is null
      and role = 'assistant' and run_id is not null`);

type LastMessage = Pick<MessageRow, 'id' | 'role' | 'parts'>;

/** The newest message of each conversation, by its id. Messages of replaced branches are left out. */
export async function readLastMessages(
  db: Db,
  workspace_id: string,
  conversation_ids: readonly string[],
): Promise<Map<string, LastMessage>> {
  if (conversation_ids.length === 0) return new Map();
  const rows = await db.rows<LastMessage & { conversation_id: string }>(sql`
    select asked.id as conversation_id, m.id, m.role, m.parts from unnest(${[...conversation_ids]}::uuid[]) asked (id), lateral (
      select id, role, parts from messages
      where workspace_id = ${workspace_id} and conversation_id = asked.id and superseded_by is null
      order by seq desc limit 1) m`);
  return new Map(rows.map((row) => [row.conversation_id, row]));
}

export const findMessage = (db: Db, workspace_id: string, conversation_id: string, id: string) =>
  db.row<MessageRow>(sql`
    select ${columns} from messages
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and id = ${id}
      and superseded_by is null`);

/** The last answer of a run of a conversation. */
export const findReplyOfRun = (db: Db, workspace_id: string, run_id: string) =>
  db.row<{ conversation_id: string; id: string }>(sql`
    select m.conversation_id, m.id from runs r
      join messages m on m.workspace_id = r.workspace_id and m.conversation_id = r.conversation_id and m.run_id = r.id
    where r.workspace_id = ${workspace_id} and r.id = ${run_id} and m.role = 'assistant' and m.superseded_by is null
    order by m.seq desc limit 1`);

/** Marks the messages from this one on as replaced by the branch `by`; they stay stored. */
export const supersede = (db: Db, workspace_id: string, conversation_id: string, from_seq: number, by: string) =>
  db.run(sql`
    update messages set superseded_by = ${by}
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and seq >= ${from_seq}
      and superseded_by is null`);

/** The summary of the oldest messages, and the seq of the newest one that it covers. */
export async function readSummary(db: Db, workspace_id: string, conversation_id: string) {
  const row = await db.row<{ summary: string | null; message_id: string | null; seq: number | null }>(sql`
    select summary, summary_message_id as message_id, (
        select seq from messages m where m.workspace_id = c.workspace_id and m.conversation_id = c.id
          and m.id = c.summary_message_id and m.superseded_by is null) as seq
    from conversations c where workspace_id = ${workspace_id} and id = ${conversation_id}`);
  if (!row?.summary || !row.message_id) return null;
  const stored: Omit<ConversationSummary, 'message_id'> = JSON.parse(row.summary);
  return { ...stored, message_id: row.message_id, seq: row.seq };
}

/** Keeps the etag, since answers do not show the summary. */
export const saveSummary = (
  db: Db,
  workspace_id: string,
  conversation_id: string,
  { message_id, ...summary }: ConversationSummary,
) =>
  db.run(sql`
    update conversations set summary = ${storedText('conversations.summary', workspace_id, conversation_id, JSON.stringify(summary))},
      summary_message_id = ${message_id}
    where workspace_id = ${workspace_id} and id = ${conversation_id}`);

/**
 * The parts of a statement that stores a user's message and marks the conversation as running. It has no effect, `counted`
 * being empty, when the conversation was changed since it was read, or when the caller's `where` does not hold.
 */
export const userMessageStatement = (
  { row, settings, row_version }: LoadedConversation,
  message: NewMessage,
  name: string,
  where: Sql,
  /** Model calls and tokens that are reserved for the run from its beginning. */
  { tokens, calls }: { tokens: number; calls: number },
): Sql =>
  appending(row.group_id, row.id, message, {
    set: sql`, status = 'running', name = coalesce(name, ${storedText('conversations.name', row.group_id, row.id, name)}),
          tokens_reserved = tokens_reserved + ${tokens}::bigint, run_calls = ${calls}::int`,
    where: sql`and ${row_version ? sql`xmin = ${row_version}::xid` : sql`etag_ms || '-' || etag_seq = ${row.etag}`}
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
  message: NewMessage | null,
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
  const write = stored ? rewriting : appending;
  return {
    locked: sql`locked as (
          select charged_to from conversations where workspace_id = ${workspace_id} and id = ${id} for no key update),
        holding as (
          select usage_settled, case when charged_to is null then tokens_held else 0 end as tokens_held
          from runs, locked where workspace_id = ${workspace_id} and id = ${run_id})`,
    appended: message ? write(workspace_id, id, message, besides) : counting(workspace_id, id, besides),
  };
}
