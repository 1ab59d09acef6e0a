import type { RunStatus } from '@atrium/contract/conversations/schema.ts';
import { AppError, conflict, notFound } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { effectiveSettings, type Settings } from '@atrium/contract/settings/settings.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Database, Db } from '../../db/database.ts';
import { nothing, type Sql, sql } from '../../db/sql.ts';
import type { Scope } from '../../lib/scope.ts';
import { requirePermissions } from '../settings/service.ts';
import * as messages from './message-store.ts';
import { layersOf } from './settings/settings-layers.ts';
import * as store from './store.ts';

export type Transcript = ReturnType<typeof makeTranscript>;
export type { MessageRow, NewMessage } from './message-store.ts';

/** A conversation and the settings that hold in it. */
export interface Held {
  row: store.ConversationRow;
  settings: Settings;
}

const withSettings = (row: store.ConversationRow): Held => ({ row, settings: effectiveSettings(...layersOf(row)) });

const usedUp = (limit: string, setting: keyof Settings) =>
  conflict(`This conversation has reached its limit of ${limit}; start a new one (${setting})`, 'usage_limit_reached');

/** What a new message brings, as far as limits are concerned. */
export interface Arriving {
  /** About how many tokens it is. */
  tokens: number;
  /** Messages that are sure to come before it: those that wait in line, and the replies to them. */
  ahead?: number;
}

/** A preview follows the draft, which is for those who edit the agent and for guests that they invite by a link. */
function requirePreview({ actor, permissions }: Scope, { preview }: store.ConversationRow): void {
  if (!preview || actor.kind === 'link' || allows(permissions, 'agents_edit')) return;
  requirePermissions(new Map([['preview', ['agents_edit']]]));
}

/** Refused when the conversation does not take this message. */
function takingMessage(scope: Scope, row: store.ConversationRow | undefined, { tokens, ahead = 0 }: Arriving): Held {
  if (!row) throw notFound('conversation');
  requirePreview(scope, row);
  if (row.is_locked) throw new AppError('locked', row.lock_message ?? 'This conversation is locked');
  const held = withSettings(row);
  const { usage_limits_max_messages: most_messages, usage_limits_maximum_tokens: most_tokens } = held.settings;
  if (row.message_count + ahead >= most_messages)
    throw usedUp(`${most_messages} messages`, 'usage_limits_max_messages');
  // A reply is one token at least.
  if (row.tokens_used + tokens >= most_tokens) throw usedUp(`${most_tokens} tokens`, 'usage_limits_maximum_tokens');
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
    holdForMessage: async (tx: Db, scope: Scope, id: string, arriving: Arriving): Promise<Held> =>
      takingMessage(scope, await store.lockConversation(tx, scope.workspace_id, id), arriving),

    /** The same without holding it: `saying` asks whether it is still so. */
    readForMessage: async (scope: Scope, id: string, arriving: Arriving): Promise<Held> =>
      takingMessage(scope, await store.findConversation(db, scope.workspace_id, id), arriving),

    /**
     * The parts of a statement that stores what a user says and marks the conversation as being answered. Without an
     * effect, `counted` being empty, when anything about the conversation has changed since it was read, or when
     * `where`, which the caller adds, does not hold.
     */
    saying: (
      { row, settings }: Held,
      message: messages.NewMessage,
      name: string,
      where: Sql,
      /** Model calls and tokens that are reserved for the run from its beginning. */
      { tokens, calls }: { tokens: number; calls: number },
    ) =>
      messages.appending(row.group_id, row.id, message, {
        set: sql`, status = 'running', name = coalesce(name, ${name}),
          tokens_reserved = tokens_reserved + ${tokens}::bigint, run_calls = ${calls}::int`,
        where: sql`and etag_ms || '-' || etag_seq = ${row.etag}
          and tokens_used + tokens_reserved + ${tokens}::bigint <= ${settings.usage_limits_maximum_tokens}::bigint
          and tokens_used < ${settings.usage_limits_maximum_tokens}::bigint and ${where}`,
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
      {
        run_id,
        status,
        tokens,
        stored,
      }: {
        run_id: string;
        status: RunStatus;
        /** What all of the run has used; null where that was charged already. */
        tokens: number | null;
        stored: boolean;
      },
    ) {
      // What the run has reserved ends with it. A conversation that others asked for has given it back before: theirs
      // would have to be locked first.
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
    },

    append: async (tx: Db, workspace_id: string, id: string, message: messages.NewMessage) => {
      const row = await messages.appendMessage(tx, workspace_id, id, message);
      if (!row) throw notFound('conversation');
      return row;
    },

    /** Counts one violation and locks the conversation at the n-th (0: never). Undefined when it is gone. */
    countViolation: (
      tx: Db,
      workspace_id: string,
      id: string,
      { block_after, block_message }: { block_after: number; block_message: string },
    ) => store.addViolation(tx, workspace_id, id, block_after, block_message),

    /** It has read this, besides what its messages say. */
    note: (tx: Db, workspace_id: string, id: string, brought: readonly Taint[]) =>
      store.addTaint(tx, workspace_id, id, brought),

    /** The status of a run that begins. */
    beginAnswer: (tx: Db, workspace_id: string, id: string, status: RunStatus) =>
      store.beginAnswer(tx, workspace_id, id, status),

    setStatus: (tx: Db, workspace_id: string, id: string, status: RunStatus) =>
      store.setStatus(tx, workspace_id, id, status),

    /** Notes who speaks in it without a message: with four_eyes they do not decide on its calls. */
    addShapers: (tx: Db, workspace_id: string, id: string, names: readonly string[]) =>
      store.addShapers(tx, workspace_id, id, names),

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
