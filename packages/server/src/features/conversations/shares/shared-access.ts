import type { ShareAccess } from '@atrium/contract/conversations/share-operations.ts';
import { forbidden, notFound } from '@atrium/contract/errors.ts';
import { fieldsOf } from '../../../lib/json/fields-of.ts';
import type { Route } from '../../../lib/route.ts';
import type { Scope } from '../../../lib/scope.ts';
import { onlyOf } from '../is-visible.ts';
import type { ConversationShares } from './shares.ts';

/** What each operation on a conversation asks of people whom it is shared with. The other operations are its owner's. */
const neededAccess: Readonly<Record<string, ShareAccess>> = {
  'conversations.get': 'read',
  'conversations.listMessages': 'read',
  'conversations.getMarks': 'read',
  'conversations.mark': 'read',
  'conversations.export': 'read',
  'conversations.listShares': 'read',
  'conversations.unshareWith': 'read',
  'branches.list': 'read',
  'branches.listOfMessage': 'read',
  'messages.follow': 'read',
  'approvals.listOfConversation': 'read',
  'conversationFiles.list': 'read',
  'conversationFiles.view': 'read',
  'runs.get': 'read',
  'runs.follow': 'read',
  'messages.send': 'write',
  'messages.chat': 'write',
  'messages.stream': 'write',
  'messages.stop': 'write',
  'messages.edit': 'write',
  'messages.regenerate': 'write',
  'branches.choose': 'write',
  // Who is named may decide with any share; the verb refuses the others.
  'approvals.decide': 'read',
  'approvals.endScope': 'write',
  'feedback.giveForMessage': 'write',
  'feedback.deleteForMessage': 'write',
  'feedback.giveForConversation': 'write',
  'feedback.deleteForConversation': 'write',
  'runs.stop': 'write',
  'runs.retry': 'write',
};

/** Operations that may wait for the reply of the agent, longer than the share lasts. */
const waiting = new Set(['messages.send', 'messages.chat', 'messages.edit', 'messages.regenerate', 'messages.stop']);

export interface SharedAccessDeps {
  shares: Pick<ConversationShares, 'accessOf'>;
  /** The conversation of an agent run; undefined for other runs. */
  conversationOfRun(workspace_id: string, run_id: string): Promise<string | undefined>;
}

function requireAccess(route: Route, access: ShareAccess): void {
  const needed = neededAccess[route.id];
  if (needed === undefined)
    throw forbidden('This conversation is shared with you; only its owner may do this', 'not_owner');
  if (needed === 'write' && access === 'read')
    throw forbidden('This conversation is shared with you for reading only', 'shared_read_only');
}

/**
 * Lets people into the conversations that are shared with them. The rest of the program sees the right in their scope, for
 * this one conversation, and runs that they start keep it.
 */
export function withSharedAccess(routes: readonly Route[], { shares, conversationOfRun }: SharedAccessDeps): Route[] {
  async function conversationIn(route: Route, scope: Scope, params: unknown): Promise<string | undefined> {
    const { conversation_id, run_id } = fieldsOf(params);
    if (typeof conversation_id === 'string') return conversation_id;
    return typeof run_id === 'string' && neededAccess[route.id]
      ? conversationOfRun(scope.workspace_id, run_id)
      : undefined;
  }

  return routes.map((route) => {
    if (!/\{(conversation_id|run_id)\}/.test(route.route)) return route;
    return {
      ...route,
      async handler(scope, input) {
        const person_id = onlyOf(scope);
        const conversation_id = person_id && (await conversationIn(route, scope, input.params));
        if (!person_id || !conversation_id) return route.handler(scope, input);
        const access = await shares.accessOf(scope.workspace_id, person_id, conversation_id);
        if (access === undefined) return route.handler(scope, input);
        requireAccess(route, access);
        scope.shared = { conversation_id, access };
        const readAgain = async () => {
          const left = await shares.accessOf(scope.workspace_id, person_id, conversation_id);
          if (left === undefined) throw notFound('conversation');
          return left;
        };
        const { authorize } = scope;
        // Streams look again whether they may go on.
        if (authorize)
          scope.authorize = async () => {
            const now = await authorize();
            requireAccess(route, await readAgain());
            return now;
          };
        const answer = await route.handler(scope, input);
        if (waiting.has(route.id)) await readAgain();
        return answer;
      },
    };
  });
}
