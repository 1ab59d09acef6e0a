import { type Database, type Db, isDuplicate } from '../../../db/database.ts';
import { groupCalls } from '../../../db/group-calls.ts';
import { nestingFields } from '../../../execution/nesting.ts';
import { newId } from '../../../lib/ids.ts';
import { type Actor, actorId, type Scope } from '../../../lib/scope.ts';
import type { LoadedConversation, Transcript, UserMessage } from '../../conversations/ports.ts';
import { defaultTitle } from '../../conversations/service.ts';
import type { UserPart } from '../../messages/ports.ts';
import { estimateTokens } from '../../messages/service.ts';
import { callsAhead, tokensAhead } from '../../usage/service.ts';
import { broughtBy } from '../loop/taint.ts';
import * as store from '../store.ts';

function newRun(
  scope: Scope,
  conversation_id: string,
  part: UserPart,
  status: store.NewRun['status'],
  said: boolean,
  id = newId(),
  tokens_held = 0,
) {
  const { tenant_id, home_workspace_id, actor, permissions, tenant_admin, request_key } = scope;
  const place = { ...nestingFields(scope), ...(scope.shared && { shared: scope.shared }) };
  const principal = { tenant_id, home_workspace_id, actor, permissions: [...permissions], tenant_admin, ...place };
  const ids = { id, conversation_id, user_message_id: newId(), message_id: newId() };
  return { ...ids, status, said, tokens_held, input: { ...part }, actor_id: actor.id, principal, request_key };
}

/**
 * The tokens and calls that a run reserves at its start: enough for a short run, if available. Calls charged to other
 * conversations are reserved one by one.
 */
function reservedAhead({ row, settings }: LoadedConversation): { tokens: number; calls: number } {
  const { usage_limits_maximum_tokens: most, usage_limits_maximum_request: most_calls } = settings;
  const tokens = tokensAhead(settings.max_tokens);
  const fits = row.tokens_used + row.tokens_reserved + tokens <= most && most_calls >= callsAhead;
  return fits && !row.charged_to ? { tokens, calls: callsAhead } : { tokens: 0, calls: 0 };
}

/** Creates runs: started at once, or queued behind another run of their conversation. */
export function makeRunInserter(deps: { db: Database; transcript: Transcript; node_id: string }) {
  const { db, transcript, node_id } = deps;

  /** Stores messages and their runs; undefined for those that have to take the slow path. */
  const insertMessage = groupCalls(
    ({ conversation }: UserMessage & { run: store.NewRun }) => conversation.row.group_id,
    (items) => {
      const saying = transcript.userMessagesStatement(items, store.noUnfinishedRunInGroup);
      const runs = items.map(({ run, conversation }) => ({ ...run, workspace_id: conversation.row.group_id }));
      return store.insertRunsWithMessages(db.grouped, saying, node_id, runs);
    },
  );

  /** The user message is stored at once when no run is unfinished, otherwise when the queued run starts. */
  async function say(
    tx: Db,
    workspace_id: string,
    conversation_id: string,
    { user_message_id: id, principal }: { user_message_id: string; principal: { actor: Actor } },
    part: UserPart,
    named = false,
  ) {
    await transcript.append(tx, workspace_id, conversation_id, {
      ...{ id, role: 'user', parts: JSON.stringify([part]), brought: broughtBy(part), written_by: actorId(principal) },
    });
    if (!named) await transcript.rename(tx, workspace_id, conversation_id, null, defaultTitle());
  }

  async function insert(
    tx: Db,
    scope: Scope,
    conversation_id: string,
    part: UserPart,
    where: {
      said: boolean;
      begun: boolean;
      named: boolean;
      id: string | undefined;
      /** What this run alone takes instead of what the message says. */
      instead?: Partial<UserPart> | undefined;
    },
  ) {
    const { workspace_id } = scope;
    const input = { ...part, ...where.instead };
    const run = newRun(scope, conversation_id, input, where.begun ? 'running' : 'queued', where.said, where.id);
    if (where.said) {
      await say(tx, workspace_id, conversation_id, run, part, where.named);
      await transcript.beginAnswer(tx, workspace_id, conversation_id, run.status);
    }
    return store.insertRun(tx, workspace_id, node_id, run);
  }

  /**
   * The usual case in one statement: the conversation has not changed since it was read, no run is active, and there is
   * room. Otherwise it inserts nothing, and the caller takes the slow path.
   */
  async function insertAtOnce(scope: Scope, conversation_id: string, part: UserPart, id: string | undefined) {
    const { workspace_id } = scope;
    const held = await transcript.readForMessage(scope, conversation_id, { tokens: estimateTokens(part.content) });
    const ahead = scope.accounts?.length ? { tokens: 0, calls: 0 } : reservedAhead(held);
    const run = newRun(scope, conversation_id, part, 'running', true, id, ahead.tokens);
    const message = {
      id: run.user_message_id,
      role: 'user' as const,
      parts: JSON.stringify([part]),
      brought: broughtBy(part),
      written_by: actorId(scope),
    };
    const isUsual = message.brought.length === 0 && !run.request_key;
    const idle = store.noUnfinishedRun(workspace_id, conversation_id);
    const name = defaultTitle();
    try {
      const row = isUsual
        ? await insertMessage({ conversation: held, message, name, reserved: ahead, run })
        : await store.insertRunWithMessage(
            db,
            transcript.userMessageStatement(held, message, name, idle, ahead),
            workspace_id,
            node_id,
            run,
          );
      return row && { run: row, held };
    } catch (error) {
      // Another run of this conversation, or an old one with this Idempotency-Key.
      if (isDuplicate(error)) return undefined;
      throw error;
    }
  }

  /** A run that has waited has its turn; undefined when another was quicker. */
  const beginWaiting = ({ id, group_id, conversation_id }: store.RunRow): Promise<store.RunRow | undefined> =>
    db.transaction(undefined, async (tx) => {
      if (!(await transcript.lock(tx, group_id, conversation_id))) return undefined;
      if (await store.findActiveRun(tx, group_id, conversation_id)) return undefined;
      const run = await store.startRun(tx, group_id, id, node_id);
      if (!run) return undefined;
      if (!run.said) await say(tx, group_id, conversation_id, run, run.input);
      await transcript.beginAnswer(tx, group_id, conversation_id, 'running');
      return run;
    });

  return { insert, insertAtOnce, beginWaiting };
}
