import type { ActorName } from '@atrium/contract/actor.ts';
import type { ConversationShare, PublicConversation, RunStatus } from '@atrium/contract/conversations/schema.ts';
import type { AudienceQuery, Grantee } from '@atrium/contract/conversations/share-operations.ts';
import type { Paged } from '@atrium/contract/page.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Db } from '../../db/database.ts';
import type { Sql } from '../../db/sql.ts';
import type { RawAnswer } from '../../lib/responses/raw-answer.ts';
import type { Principal, Scope } from '../../lib/scope.ts';
import type { SentFiles } from '../messages/ports.ts';
import type { RunReply, UserMessage } from './groups/message-group-store.ts';
import type { MessageRow, NewMessage, ReplyOptions } from './message-store.ts';
import type { ConversationRow, Todo } from './store.ts';

export type { EndUser } from './end-user-store.ts';
export type { RunReply, UserMessage } from './groups/message-group-store.ts';
export type { MessageRow, NewMessage } from './message-store.ts';
export type { Todo } from './store.ts';

/** A conversation and the settings that apply in it. */
export interface LoadedConversation {
  row: ConversationRow;
  settings: Settings;
  /** The version of the row, where it was remembered and not read. */
  row_version?: string;
}

/** A new message as far as limits are concerned. */
export interface IncomingMessage {
  /** About how many tokens it has. */
  tokens: number;
  /** Messages that are sure to come before it: those that wait in line, and the replies to them. */
  ahead?: number;
}

/** A text that stands for the oldest messages of a conversation when a model reads it. */
export interface ConversationSummary {
  text: string;
  /** The newest message that it covers, and how many of the model messages that it becomes are covered. */
  message_id: string;
  places: number;
  /** Older model messages that it does not cover, as `message id:place`. */
  kept: string[];
}

/** Conversations as agent runs use them. Verbs with `tx` work in the caller's transaction. */
export interface Transcript {
  read(scope: Scope, id: string): Promise<LoadedConversation>;
  /** Throws when the caller may not go on with it in a conversation of its own. */
  readToContinue(scope: Scope, id: string): Promise<LoadedConversation>;
  /** The settings that apply in it, for callers without a scope; undefined when it is gone. */
  settingsOf(from: Db, workspace_id: string, id: string): Promise<Settings | undefined>;
  /** Locks the conversation until the transaction ends, before a run begins in it; false when it is gone. */
  lock(tx: Db, workspace_id: string, id: string): Promise<boolean>;
  /** Locks the conversation until the transaction ends; throws when it does not accept the message. */
  lockForMessage(tx: Db, scope: Scope, id: string, incoming: IncomingMessage): Promise<LoadedConversation>;
  /** The same without a lock: `userMessageStatement` checks that nothing has changed since. */
  readForMessage(scope: Scope, id: string, incoming: IncomingMessage): Promise<LoadedConversation>;
  /** The parts of a statement that stores a user's message: see message-store.ts. */
  userMessageStatement(
    conversation: LoadedConversation,
    message: NewMessage,
    name: string,
    where: Sql,
    reserved: { tokens: number; calls: number },
  ): Sql;
  /** The parts of a statement that stores a reply: see message-store.ts. */
  replyStatement(
    workspace_id: string,
    id: string,
    message: NewMessage | null,
    options: ReplyOptions,
  ): { locked: Sql; appended: Sql };
  /** The same for several conversations: see message-group-store.ts. */
  userMessagesStatement(items: readonly UserMessage[], where: Sql): Sql;
  repliesStatement(items: readonly RunReply[]): { locked: Sql; appended: Sql };
  append(tx: Db, workspace_id: string, id: string, message: NewMessage): Promise<MessageRow>;
  /** Counts one violation and locks the conversation at the n-th (0: never). Undefined when it is gone. */
  countViolation(
    tx: Db,
    workspace_id: string,
    id: string,
    limit: { block_after: number; block_message: string },
  ): Promise<{ violations: number; is_locked: boolean } | undefined>;
  /** Records sources that the conversation has read, besides those of its messages. */
  addTaint(tx: Db, workspace_id: string, id: string, brought: readonly Taint[]): Promise<unknown>;
  /** Notes what the model was sent of the files of a message, by file id. */
  noteSentFiles(from: Db, workspace_id: string, id: string, message_id: string, sent: SentFiles): Promise<unknown>;
  /** Sets the status of a run that begins and its count of model calls to zero. */
  beginAnswer(tx: Db, workspace_id: string, id: string, status: RunStatus): Promise<unknown>;
  setStatus(tx: Db, workspace_id: string, id: string, status: RunStatus): Promise<unknown>;
  /** Records actors that influence its runs without a message: with four_eyes they can't decide about its calls. */
  addShapers(tx: Db, workspace_id: string, id: string, names: readonly string[]): Promise<unknown>;
  /** Renames it unless its name is no longer `before`. */
  rename(tx: Db, workspace_id: string, id: string, before: string | null, name: string): Promise<unknown>;
  /** The newest messages that no branch has replaced, oldest first. */
  listLatest(from: Db, workspace_id: string, id: string, limit: number): Promise<MessageRow[]>;
  /** The stored summary. `seq` is that of the newest message it covers; null when that one is not there, or replaced. */
  readSummary(
    from: Db,
    workspace_id: string,
    id: string,
  ): Promise<(ConversationSummary & { seq: number | null }) | null>;
  saveSummary(tx: Db, workspace_id: string, id: string, summary: ConversationSummary): Promise<unknown>;
  /** Throws not_found when the conversation does not have the message, or a branch has replaced it. */
  getMessage(from: Db, scope: Scope, conversation_id: string, id: string): Promise<MessageRow>;
  /** The last answer of a run and its conversation; undefined when it has none that is shown. */
  findReplyOfRun(
    from: Db,
    workspace_id: string,
    run_id: string,
  ): Promise<{ conversation_id: string; id: string } | undefined>;
  /** The user's message that a reply answers; a user's message itself. */
  getQuestion(from: Db, scope: Scope, conversation_id: string, reply: MessageRow): Promise<MessageRow>;
  /** Replaces the messages from this one on by the branch `by`. */
  supersedeFrom(tx: Db, workspace_id: string, id: string, from_seq: number, by: string): Promise<unknown>;
}

/** A conversation with the secret of its link in plain text, where the caller may see it. */
export interface OpenConversation extends ConversationRow {
  public_access_token: string | null;
  created_by_actor: ActorName | null;
}

/** A message with the actor that wrote it. */
export interface NamedMessage extends MessageRow {
  written_by_actor: ActorName | null;
}

export interface WholeConversation {
  row: OpenConversation;
  messages: NamedMessage[];
}

/** A page of messages, and the conversation that they are of. */
export interface MessagePage {
  row: ConversationRow;
  items: NamedMessage[];
  format: 'stored' | 'ui';
  next_cursor: number | null;
}

/** Conversations as answers. Stored JSON is spliced into the text of the answer without being parsed. */
export interface ConversationPresenter {
  wholeText(whole: WholeConversation, scope: Scope): string;
  conversation(whole: WholeConversation, scope: Scope): RawAnswer;
  page(page: Paged<OpenConversation>, scope: Scope): RawAnswer;
  messages(page: MessagePage, scope: Scope): RawAnswer;
}

/** Shared links to conversations. */
export interface ConversationLinks {
  /** Sharing twice gives the same link, with the terms that are given. */
  share(scope: Scope, id: string, terms?: ConversationShare): Promise<WholeConversation>;
  /** Ends the link and the streams that were opened with it. */
  unshare(scope: Scope, id: string): Promise<WholeConversation>;
  /** The principal of a guest; undefined when no conversation has this link. */
  principalOfLink(token: string): Promise<Principal | undefined>;
  /** The conversation as a guest sees it. The link alone says which one; no id is taken from the request. */
  view(scope: Scope): Promise<PublicConversation>;
}

/** The to-do list of a conversation; shown as its `todos`. */
export interface TodoList {
  read(scope: Scope, conversation_id: string): Promise<Todo[]>;
  /** Concurrent changes of one list wait for each other. */
  change(scope: Scope, conversation_id: string, work: (todos: readonly Todo[]) => Todo[]): Promise<Todo[]>;
}

/** Which of these conversations the caller may read, and which of them it began; the others are left out. */
export type ConversationAccess = (
  scope: Scope,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, 'owner' | 'reader'>>;

/** The people, groups and roles of a workspace. */
export interface WorkspaceAudience {
  list(scope: Scope, query: AudienceQuery): Promise<Grantee[]>;
  /** Those of these ids that belong to the workspace now. */
  named(scope: Scope, ids: readonly string[]): Promise<Grantee[]>;
}
