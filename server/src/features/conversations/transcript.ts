import type { Database, Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { AppError, conflict, notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Brought } from '../../lib/tool.ts';
import { effectiveSettings, type Settings } from '../settings/settings.ts';
import { layersOf } from './layers.ts';
import * as messages from './message-store.ts';
import type { RunStatus } from './schema.ts';
import * as store from './store.ts';

export type Transcript = ReturnType<typeof makeTranscript>;
export type { MessageRow, NewMessage } from './message-store.ts';

/** A conversation and the settings that hold in it. */
export interface Held {
  row: store.ConversationRow;
  settings: Settings;
}

const withSettings = (row: store.ConversationRow): Held => ({ row, settings: effectiveSettings(...layersOf(row)) });

const usedUp = (limit: string) =>
  conflict(`This conversation has reached its limit of ${limit}; start a new one`, 'usage_limit_reached');

/** Refused when the conversation takes no more messages. */
function takingMessages(row: store.ConversationRow | undefined): Held {
  if (!row) throw notFound('conversation');
  if (row.is_locked) throw new AppError('locked', row.lock_message ?? 'This conversation is locked');
  const held = withSettings(row);
  const { usage_limits_max_messages: messages, usage_limits_maximum_tokens: tokens } = held.settings;
  if (row.message_count >= messages) throw usedUp(`${messages} messages`);
  if (row.tokens_used >= tokens) throw usedUp(`${tokens} tokens`);
  return held;
}

/** What runs do to a conversation: write into it. Each verb works in the caller's transaction. */
export function makeTranscript({ db }: { db: Database }) {
  return {
    async read(scope: Scope, id: string): Promise<Held> {
      const row = await store.findConversation(db, scope.workspace_id, id);
      if (!row) throw notFound('conversation');
      return withSettings(row);
    },

    /** The settings that hold in it, for those who work without a scope; undefined when it is gone. */
    async settingsOf(from: Db, workspace_id: string, id: string): Promise<Settings | undefined> {
      const row = await store.findConversation(from, workspace_id, id);
      return row && withSettings(row).settings;
    },

    /** Held until the transaction ends, by whoever begins a run in it; false when it is gone. */
    hold: async (tx: Db, workspace_id: string, id: string): Promise<boolean> =>
      (await store.lockConversation(tx, workspace_id, id)) !== undefined,

    /** Held until the transaction ends; refused when it takes no more messages. */
    holdForMessage: async (tx: Db, scope: Scope, id: string): Promise<Held> =>
      takingMessages(await store.lockConversation(tx, scope.workspace_id, id)),

    /** The same without holding it: `saying` asks whether it is still so. */
    readForMessage: async (scope: Scope, id: string): Promise<Held> =>
      takingMessages(await store.findConversation(db, scope.workspace_id, id)),

    /**
     * The parts of a statement that stores what a user says and marks the conversation as being answered. Without an
     * effect, `counted` being empty, when anything about the conversation has changed since it was read, or when
     * `where`, which the caller adds, does not hold.
     */
    saying: ({ row, settings }: Held, message: messages.NewMessage, name: string, where: Sql) =>
      messages.appending(row.group_id, row.id, message, {
        set: sql`, status = 'running', name = coalesce(name, ${name})`,
        where: sql`and etag_ms || '-' || etag_seq = ${row.etag}
          and tokens_used < ${settings.usage_limits_maximum_tokens} and ${where}`,
      }),

    /**
     * The parts of a statement that stores a reply, in two: `locked` comes first and holds the conversation, as
     * everybody does before its runs; the other stores the reply if `held`, which the caller adds, has a row. One that
     * is there already is written anew; where there is none only the status changes.
     */
    answering(
      workspace_id: string,
      id: string,
      message: messages.NewMessage | null,
      { status, tokens, stored }: { status: RunStatus; tokens: number; stored: boolean },
    ) {
      const besides = {
        set: sql`, status = ${status}, tokens_used = tokens_used + ${tokens}`,
        where: sql`and exists (select 1 from held)`,
      };
      const write = stored ? messages.rewriting : messages.appending;
      return {
        locked: sql`locked as (
          select 1 from conversations where workspace_id = ${workspace_id} and id = ${id} for no key update)`,
        appended: message ? write(workspace_id, id, message, besides) : messages.counting(workspace_id, id, besides),
      };
    },

    append: async (tx: Db, workspace_id: string, id: string, message: messages.NewMessage) => {
      const row = await messages.appendMessage(tx, workspace_id, id, message);
      if (!row) throw notFound('conversation');
      return row;
    },

    /** It has read this, besides what its messages say. */
    note: (tx: Db, workspace_id: string, id: string, brought: readonly Brought[]) =>
      store.noteBrought(tx, workspace_id, id, brought),

    setStatus: (tx: Db, workspace_id: string, id: string, status: RunStatus) =>
      store.setStatus(tx, workspace_id, id, status),

    addTokens: (tx: Db, workspace_id: string, id: string, tokens: number) =>
      store.addTokens(tx, workspace_id, id, tokens),

    /** Gives it a name unless somebody else has since it was called `before`. */
    rename: (tx: Db, workspace_id: string, id: string, before: string | null, name: string) =>
      store.setTitle(tx, workspace_id, id, before, name),

    /** The newest messages that still stand, oldest first. */
    latest: async (from: Db, workspace_id: string, id: string, limit: number) =>
      (await messages.readMessages(from, workspace_id, id, { after: undefined, order: 'newest', limit })).reverse(),

    async message(from: Db, scope: Scope, conversation_id: string, id: string): Promise<messages.MessageRow> {
      const row = await messages.findMessage(from, scope.workspace_id, conversation_id, id);
      if (!row) throw notFound('message');
      return row;
    },

    /** What the user said that a reply answers; of a user's own message, that message. */
    async questionOf(from: Db, scope: Scope, conversation_id: string, reply: messages.MessageRow) {
      if (reply.role === 'user') return reply;
      const window = { after: reply.seq, order: 'newest', limit: 50 } as const;
      const before = await messages.readMessages(from, scope.workspace_id, conversation_id, window);
      const question = before.find(({ role }) => role === 'user');
      if (!question) throw notFound('message');
      return question;
    },

    /** From this message on another branch takes its place. */
    branchFrom: (tx: Db, workspace_id: string, id: string, from_seq: number, by: string) =>
      messages.supersede(tx, workspace_id, id, from_seq, by),
  };
}
