import type {
  ConversationGrant,
  ConversationGrantCreate,
  GranteeKind,
  ShareAccess,
} from '@atrium/contract/conversations/share-operations.ts';
import { conflict, forbidden, invalid, notFound } from '@atrium/contract/errors.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import { newId } from '../../../lib/ids.ts';
import { required } from '../../../lib/required.ts';
import { actorId, isOutsider, personBehind, type Scope } from '../../../lib/scope.ts';
import { withActors } from '../../actors/service.ts';
import { listUsedRights } from '../../ownership/service.ts';
import { canSeeLink } from '../can-see-link.ts';
import { listAnswerRuns } from '../message-store.ts';
import type { WorkspaceAudience } from '../ports.ts';
import type { Conversations } from '../service.ts';
import { lockConversation } from '../store.ts';
import * as store from './share-store.ts';

/** Conversations that are shared with people, groups and roles of their workspace. */
export interface ConversationShares {
  list(scope: Scope, conversation_id: string): Promise<{ items: ConversationGrant[]; restricted_answers: number }>;
  add(scope: Scope, conversation_id: string, body: ConversationGrantCreate): Promise<ConversationGrant>;
  remove(scope: Scope, conversation_id: string, id: string): Promise<void>;
  /** What a person may do with the conversation of another one; undefined: it is not shared with them. */
  accessOf(workspace_id: string, person_id: string, conversation_id: string): Promise<ShareAccess | undefined>;
}

const mostShares = 100;

/** The one person, group or role that a body names. */
function granteeOf({ person_id, user_group_id, role_id }: Omit<ConversationGrantCreate, 'access'>) {
  const given = Object.entries({ person: person_id, user_group: user_group_id, role: role_id }).flatMap(([kind, id]) =>
    id === undefined ? [] : [{ kind: kind as GranteeKind, grantee_id: id }],
  );
  const [first, second] = given;
  if (!first || second) throw invalid(['body'], 'name one of person_id, user_group_id and role_id', given.length);
  return first;
}

export function makeConversationShares(deps: {
  db: Database;
  notifier: Pick<Notifier, 'notify' | 'notifyLocal'>;
  conversations: Pick<Conversations, 'find'>;
  audience: WorkspaceAudience;
}): ConversationShares {
  const { db, notifier, conversations, audience } = deps;

  async function present(on: Db, scope: Scope, rows: readonly store.ShareRow[]): Promise<ConversationGrant[]> {
    const grantees = await audience.named(
      scope,
      rows.map(({ grantee_id }) => grantee_id),
    );
    const names = new Map(grantees.map(({ id, name }) => [id, name]));
    const named = await withActors(on, scope, rows, 'created_by');
    return named.map((row) => ({ ...row, grantee_name: names.get(row.grantee_id) ?? null }));
  }

  /** Answers that readers see only if they may read the documents that these were made from. */
  async function countRestricted(workspace_id: string, conversation_id: string): Promise<number> {
    const runs = (await listAnswerRuns(db, workspace_id, conversation_id)).flatMap(({ run_id }) => run_id ?? []);
    const used = runs.length ? await listUsedRights(db, workspace_id, runs) : [];
    const restricted = new Set(used.map(({ run_id }) => run_id));
    return runs.filter((run_id) => restricted.has(run_id)).length;
  }

  /** Streams that were opened by a share are looked at again; the members of a group or role are not known here. */
  const cutOff = ({ kind, grantee_id }: store.ShareRow) => (kind === 'person' ? grantee_id : '');

  return {
    async list(scope, conversation_id) {
      await conversations.find(scope, conversation_id);
      const items = await present(db, scope, await store.listShares(db, scope.workspace_id, conversation_id));
      return { items, restricted_answers: await countRestricted(scope.workspace_id, conversation_id) };
    },

    async add(scope, conversation_id, { access, ...named }) {
      const before = await conversations.find(scope, conversation_id);
      if (isOutsider(scope) || !canSeeLink(scope, before))
        throw forbidden("Sharing another person's conversation needs the permission conversations_read");
      const { kind, grantee_id } = granteeOf(named);
      const [grantee] = (await audience.named(scope, [grantee_id])).filter((found) => found.kind === kind);
      if (!grantee) throw notFound(kind);
      if (grantee.id === before.person_id)
        throw conflict('The conversation belongs to this person', 'own_conversation');
      const saved = await db.transaction(scope, async (tx) => {
        if (!(await lockConversation(tx, scope.workspace_id, conversation_id))) throw notFound('conversation');
        const shares = await store.listShares(tx, scope.workspace_id, conversation_id);
        const old = shares.find((share) => share.kind === kind && share.grantee_id === grantee.id);
        if (!old && shares.length >= mostShares)
          throw conflict(`A conversation is shared with at most ${mostShares}`, 'too_many_shares');
        const row = { id: newId(), conversation_id, kind, grantee_id: grantee.id, access, created_by: actorId(scope) };
        const share = await store.saveShare(tx, scope, row);
        scope.audit?.note({ before: old ?? null, after: share });
        if (old?.access === 'write' && access === 'read') await notifier.notify(tx, 'links', cutOff(share));
        return required((await present(tx, scope, [share]))[0]);
      });
      notifier.notifyLocal('links', cutOff(saved));
      return saved;
    },

    async remove(scope, conversation_id, id) {
      const row = await conversations.find(scope, conversation_id);
      const ended = await db.transaction(scope, async (tx) => {
        const share = await store.deleteShare(tx, scope.workspace_id, conversation_id, id);
        if (!share) throw notFound('conversation_share');
        const isOwn = share.kind === 'person' && share.grantee_id === personBehind(scope);
        if (!isOwn && !canSeeLink(scope, row))
          throw forbidden("Ending another person's share needs the permission conversations_read");
        scope.audit?.note({ before: share, after: null });
        await notifier.notify(tx, 'links', cutOff(share));
        return share;
      });
      notifier.notifyLocal('links', cutOff(ended));
    },

    async accessOf(workspace_id, person_id, conversation_id) {
      return (await store.findAccess(db, workspace_id, person_id, [conversation_id]))[0]?.access;
    },
  };
}
