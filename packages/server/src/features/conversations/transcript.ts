import { AppError, conflict, notFound } from '@atrium/contract/errors.ts';
import { effectiveSettings, type Settings } from '@atrium/contract/settings/settings.ts';
import type { Database } from '../../db/database.ts';
import { isOutsider, type Scope } from '../../lib/scope.ts';
import { requirePermissions } from '../settings/service.ts';
import { requireContinuable } from './copy/continue.ts';
import type { FreshConversations } from './create/fresh-conversations.ts';
import { repliesStatement, userMessagesStatement } from './groups/message-group-store.ts';
import { mayUsePreview, requireVisible, requireWritable } from './is-visible.ts';
import * as messages from './message-store.ts';
import { replyStatement, userMessageStatement } from './message-store.ts';
import type { IncomingMessage, LoadedConversation, Transcript } from './ports.ts';
import { layersOf } from './settings/settings-layers.ts';
import * as store from './store.ts';

const withSettings = (row: store.ConversationRow): LoadedConversation => ({
  row,
  settings: effectiveSettings(...layersOf(row)),
});

/** Only members of the workspace read the name of the setting. */
const usedUp = (scope: Scope, limit: string, setting: keyof Settings) =>
  conflict(
    `This conversation has reached its limit of ${limit}; start a new one${isOutsider(scope) ? '' : ` (${setting})`}`,
    'usage_limit_reached',
  );

function requirePreview(scope: Scope, row: store.ConversationRow): void {
  if (mayUsePreview(scope, row)) return;
  requirePermissions(new Map([['preview', ['agents_edit']]]));
}

/** Refuses the message when the conversation is locked or its limits are reached. */
function requireRoomFor(
  scope: Scope,
  found: store.ConversationRow | undefined,
  { tokens, ahead = 0 }: IncomingMessage,
): LoadedConversation {
  const row = requireWritable(scope, found);
  requirePreview(scope, row);
  if (row.is_locked) throw new AppError('locked', row.lock_message ?? 'This conversation is locked');
  const loaded = withSettings(row);
  const { usage_limits_max_messages: most_messages, usage_limits_maximum_tokens: most_tokens } = loaded.settings;
  if (row.message_count + ahead >= most_messages)
    throw usedUp(scope, `${most_messages} messages`, 'usage_limits_max_messages');
  // A reply has at least one token.
  if (row.tokens_used + tokens >= most_tokens)
    throw usedUp(scope, `${most_tokens} tokens`, 'usage_limits_maximum_tokens');
  return loaded;
}

/** Conversations as agent runs use them: what they read, and what they write into them. */
export const makeTranscript = ({ db, fresh }: { db: Database; fresh?: FreshConversations }): Transcript => ({
  async read(scope, id) {
    return withSettings(requireVisible(scope, await store.findConversation(db, scope.workspace_id, id)));
  },

  readToContinue: async (scope, id) =>
    withSettings(requireContinuable(scope, await store.findConversation(db, scope.workspace_id, id))),

  async settingsOf(from, workspace_id, id) {
    const row = await store.findConversation(from, workspace_id, id);
    return row && withSettings(row).settings;
  },

  lock: async (tx, workspace_id, id) => (await store.lockConversation(tx, workspace_id, id)) !== undefined,

  lockForMessage: async (tx, scope, id, incoming) =>
    requireRoomFor(scope, await store.lockConversation(tx, scope.workspace_id, id), incoming),

  async readForMessage(scope, id, incoming) {
    const known = fresh?.take(scope.workspace_id, id);
    try {
      if (known) return { ...requireRoomFor(scope, known.row, incoming), row_version: known.row_version };
    } catch {
      // It may have been changed since, so the stored row decides.
    }
    return requireRoomFor(scope, await store.findConversation(db, scope.workspace_id, id), incoming);
  },

  userMessageStatement,

  replyStatement,

  userMessagesStatement,

  repliesStatement,

  async append(tx, workspace_id, id, message) {
    const row = await messages.appendMessage(tx, workspace_id, id, message);
    if (!row) throw notFound('conversation');
    return row;
  },

  countViolation: (tx, workspace_id, id, { block_after, block_message }) =>
    store.addViolation(tx, workspace_id, id, block_after, block_message),

  addTaint: store.addTaint,
  noteSentFiles: messages.noteSentFiles,
  beginAnswer: store.beginAnswer,
  setStatus: store.setStatus,
  addShapers: store.addShapers,
  rename: store.setTitle,

  listLatest: async (from, workspace_id, id, limit) =>
    (await messages.readMessages(from, workspace_id, id, { after: undefined, order: 'newest', limit })).reverse(),

  readSummary: messages.readSummary,
  saveSummary: messages.saveSummary,

  async getMessage(from, scope, conversation_id, id) {
    const row = await messages.findMessage(from, scope.workspace_id, conversation_id, id);
    if (!row) throw notFound('message');
    return row;
  },

  async getQuestion(from, scope, conversation_id, reply) {
    if (reply.role === 'user') return reply;
    const window = { after: reply.seq, order: 'newest', limit: 50 } as const;
    const before = await messages.readMessages(from, scope.workspace_id, conversation_id, window);
    const question = before.find(({ role }) => role === 'user');
    if (!question) throw notFound('message');
    return question;
  },

  findReplyOfRun: messages.findReplyOfRun,
  supersedeFrom: messages.supersede,
});
