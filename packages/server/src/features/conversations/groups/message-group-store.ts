import { nextEtag } from '../../../db/etag.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { storedText, storedTextOrNull } from '../../../db/stored-text/stored-text.ts';
import { type NewMessage, parentAfterBranch } from '../message-store.ts';
import type { LoadedConversation } from '../ports.ts';

/*
 * The statements of message-store.ts for messages of several conversations at once. A conversation that another statement
 * has locked is left out instead of waited for, and so is one that has changed: its caller stores the message by itself.
 */

/** Messages without taint; `reserved` are the model calls and tokens of the run from its beginning. */
export interface UserMessage {
  conversation: LoadedConversation;
  message: NewMessage;
  name: string;
  reserved: { tokens: number; calls: number };
}

const storedParts = (workspace_id: string, { id, parts }: NewMessage) =>
  storedText('messages.parts', workspace_id, id, parts);

/**
 * The parts of a statement that stores users' messages and marks their conversations as running. `counted` has a row for each
 * one that was stored, with its `message_id`. `where` is about the conversation `c`.
 */
export const userMessagesStatement = (items: readonly UserMessage[], where: Sql): Sql => {
  const of = <T>(value: (item: UserMessage) => T) => items.map(value);
  const rows = of(({ conversation }) => conversation.row);
  return sql`
    locked as (
      select said.* from unnest(${rows.map((row) => row.group_id)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
        ${rows.map((row) => row.etag)}::text[], ${of(({ conversation }) => conversation.row_version ?? null)}::text[],
        ${of(({ conversation }) => conversation.settings.usage_limits_maximum_tokens)}::bigint[],
        ${of(({ reserved }) => reserved.tokens)}::bigint[], ${of(({ reserved }) => reserved.calls)}::int[],
        ${of(({ conversation: { row }, name }) => storedText('conversations.name', row.group_id, row.id, name))}::text[],
        ${of(({ message }) => message.id)}::uuid[],
        ${of(({ conversation: { row }, message }) => storedParts(row.group_id, message))}::text[],
        ${of(({ message }) => message.written_by ?? null)}::uuid[])
        as said (workspace_id, conversation_id, etag, row_version, most_tokens, tokens, calls, name, message_id, parts, written_by),
      lateral (
        select 1 from conversations c
        where c.workspace_id = said.workspace_id and c.id = said.conversation_id
          and case when said.row_version is null then c.etag_ms || '-' || c.etag_seq = said.etag
            else c.xmin = said.row_version::xid end
          and c.tokens_used + c.tokens_reserved + said.tokens <= said.most_tokens and c.tokens_used < said.most_tokens
          and ${where}
        for no key update skip locked) c),
    counted as (
      update conversations c set message_count = message_count + 1, last_updated_at = now(), ${nextEtag()}, status = 'running',
        name = coalesce(c.name, locked.name), tokens_reserved = tokens_reserved + locked.tokens, run_calls = locked.calls
      from locked where c.workspace_id = locked.workspace_id and c.id = locked.conversation_id
      returning locked.*, message_count),
    appended as (
      insert into messages (workspace_id, conversation_id, seq, id, role, parts, written_by, parent_seq)
      select workspace_id, conversation_id, message_count, message_id, 'user', parts, written_by,
        ${parentAfterBranch(sql`counted.workspace_id`, sql`counted.conversation_id`)}
      from counted)`;
};

/** A new reply without taint, and the tokens that its whole run has used. */
export interface RunReply {
  workspace_id: string;
  conversation_id: string;
  run_id: string;
  message: NewMessage;
  tokens: number;
}

/**
 * The parts of a statement that stores the replies of completed runs. `locked` comes first: it locks the conversations
 * before the runs, in the order of all other statements. `appended` stores the replies of the runs in `held`, which the caller
 * adds in between; `held` has the tokens that a run held (none for a run that others asked for), and those charged already.
 */
export function repliesStatement(items: readonly RunReply[]): { locked: Sql; appended: Sql } {
  const of = <T>(value: (item: RunReply) => T) => items.map(value);
  return {
    locked: sql`
    locked as (
      select said.*, c.charged_to from unnest(${of((item) => item.workspace_id)}::uuid[],
        ${of((item) => item.conversation_id)}::uuid[], ${of((item) => item.run_id)}::uuid[],
        ${of((item) => item.message.id)}::uuid[], ${of((item) => item.tokens)}::bigint[],
        ${of((item) => storedParts(item.workspace_id, item.message))}::text[],
        ${of(({ workspace_id, message: { id, metadata } }) => storedTextOrNull('messages.metadata', workspace_id, id, metadata))}::text[])
        as said (workspace_id, conversation_id, run_id, message_id, tokens, parts, metadata),
      lateral (
        select c.charged_to from conversations c
        where c.workspace_id = said.workspace_id and c.id = said.conversation_id
        for no key update skip locked) c)`,
    appended: sql`
    counted as (
      update conversations c set message_count = message_count + 1, last_updated_at = now(), ${nextEtag()}, status = 'completed',
        tokens_used = tokens_used + said.tokens - held.usage_settled,
        tokens_reserved = greatest(0, tokens_reserved - held.tokens_given_back)
      from locked said, held
      where held.id = said.run_id and c.workspace_id = said.workspace_id and c.id = said.conversation_id
      returning said.*, message_count),
    appended as (
      insert into messages (workspace_id, conversation_id, seq, id, role, parts, metadata, run_id, parent_seq)
      select workspace_id, conversation_id, message_count, message_id, 'assistant', parts, metadata, run_id,
        ${parentAfterBranch(sql`counted.workspace_id`, sql`counted.conversation_id`)}
      from counted)`,
  };
}
