import type {
  UnlockDecision,
  UnlockRequest,
  UnlockRequestCreate,
  UnlockRequestQuery,
} from '@atrium/contract/agents/lock-schema.ts';
import type { InboxFilter, InboxItem } from '@atrium/contract/approvals/inbox-schema.ts';
import { conflict, notFound } from '@atrium/contract/errors.ts';
import { type Facets, type Paged, type PageWindow, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { LockName } from '@atrium/contract/settings/locks.ts';
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { actorId, personBehind, type Scope } from '../../../lib/scope.ts';
import { withActor, withActors } from '../../actors/service.ts';
import type { SettingsAuthority } from '../../settings/ports.ts';
import { readSettings } from '../service.ts';
import { type AgentRow, findAgent, lockAgent, updateAgent } from '../store.ts';
import { insertVersion, restrictedOfAgent, rightsOf } from '../versions/version-store.ts';
import * as store from './lock-store.ts';
import { recordLocks } from './record-locks.ts';

export interface UnlockRequests {
  list(scope: Scope, agent_id: string, query: UnlockRequestQuery): Promise<Paged<UnlockRequest>>;
  create(scope: Scope, agent_id: string, input: UnlockRequestCreate): Promise<UnlockRequest>;
  /** Turns the lock off or refuses, once. */
  decide(scope: Scope, agent_id: string, id: string, decision: UnlockDecision): Promise<UnlockRequest>;
  /** The requests for the inbox: all for those who may unlock, else the caller's own. */
  inbox(
    scope: Scope,
    filter: InboxFilter,
    window: PageWindow,
  ): Promise<{ items: InboxItem[]; total: number; facets?: Facets }>;
}

/** The fields of the inbox that only runs have. */
const runFields = {
  ...{ run_id: null, conversation_id: null, conversation_name: null, workflow_id: null, workflow_name: null },
  ...{
    node_id: null,
    node_name: null,
    has_read: null,
    tool: null,
    tool_call_id: null,
    arguments: null,
    details: null,
    recipient: null,
    recipients: [],
    beneath: [],
  },
  ...{ expires_at: null, four_eyes: false },
};

/** Reasons and notes are for the asker and for those who may decide; other callers see that there is a request. */
function hideWords<R extends Pick<UnlockRequest, 'asked_by' | 'reason' | 'note'>>(scope: Scope, row: R): R {
  const isAsker = row.asked_by === scope.actor.id || row.asked_by === personBehind(scope);
  return isAsker || allows(scope.permissions, 'org:admin') ? row : { ...row, reason: null, note: null };
}

export function makeUnlockRequests({ db, authority }: { db: Database; authority: SettingsAuthority }): UnlockRequests {
  const named = (on: Db, scope: Scope, row: store.RequestRow) => withActor(on, scope, row, 'asked_by', 'decided_by');

  async function requireAgent(scope: Scope, id: string): Promise<AgentRow> {
    const agent = await findAgent(db, scope.workspace_id, id);
    if (!agent) throw notFound('agent');
    return agent;
  }

  /** The version keeps the rights of its authors: an administrator who unlocks does not answer for its settings. */
  async function unlock(tx: Db, scope: Scope, agent: AgentRow, lock: LockName): Promise<void> {
    const { workspace_id } = scope;
    const published = readSettings(agent.definition);
    const draft = agent.draft_definition === null ? null : readSettings(agent.draft_definition);
    const after = { published: { ...published, [lock]: false }, draft: draft && { ...draft, [lock]: false } };
    await authority.requireChange(tx, scope, [published], [after.published]);
    const version_id = newId();
    const known = await restrictedOfAgent(tx, workspace_id, agent.id);
    await insertVersion(tx, workspace_id, {
      ...{ id: version_id, agent_id: agent.id, name: undefined, description: `Turned off ${lock}` },
      ...{ definition: JSON.stringify(after.published), created_by: scope.actor.id },
      ...{ rights: await rightsOf(tx, workspace_id, agent.version_id), restricted_settings: known.published },
    });
    const draft_definition = after.draft && JSON.stringify(after.draft);
    await updateAgent(tx, workspace_id, agent.id, { ...agent, version_id, draft_definition });
    await recordLocks(tx, scope, agent, after, undefined);
  }

  return {
    async list(scope, agent_id, query) {
      await requireAgent(scope, agent_id);
      const window = pageOf(query);
      const wanted = { ...query, status: query.status };
      const { rows, total, last } = await store.listRequests(db, scope.workspace_id, agent_id, wanted, window);
      const named = await withActors(db, scope, rows, 'asked_by', 'decided_by');
      return pageAnswer(
        named.map((row) => hideWords(scope, row)),
        total,
        window,
        last,
      );
    },

    create: (scope, agent_id, { lock, reason }) =>
      db.transaction(scope, async (tx) => {
        const agent = await lockAgent(tx, scope.workspace_id, agent_id);
        if (!agent) throw notFound('agent');
        if (!agent.locks.some((on) => on.lock === lock)) throw conflict(`${lock} is off`, 'not_locked');
        const row = { id: newId(), agent_id, lock, reason, asked_by: scope.actor.id };
        const made = await store.insertRequest(tx, scope.workspace_id, row);
        if (!made) throw conflict('You have asked for this already, and wait for the answer', 'already_asked');
        return named(tx, scope, made);
      }),

    decide: (scope, agent_id, id, { decision, note = null }) =>
      db.transaction(scope, async (tx) => {
        const agent = await lockAgent(tx, scope.workspace_id, agent_id);
        const asked = agent && (await store.findRequest(tx, scope.workspace_id, agent_id, id));
        if (!asked) throw notFound('request');
        const status = decision === 'unlock' ? 'approved' : 'rejected';
        const settled = await store.settleRequest(tx, scope.workspace_id, id, { status, note, by: actorId(scope) });
        if (!settled) throw conflict(`This request is over: it was ${asked.status}`, 'already_decided');
        if (decision === 'unlock') await unlock(tx, scope, agent, asked.lock);
        return named(tx, scope, settled);
      }),

    async inbox(scope, filter, window) {
      const mayUnlock = allows(scope.permissions, 'org:admin');
      const asked_by = mayUnlock ? undefined : scope.actor.id;
      const { rows, total, facets } = await store.listInboxRequests(
        db,
        scope.workspace_id,
        { ...filter, asked_by },
        window,
      );
      const items = await withActors(db, scope, rows, 'asked_by', 'decided_by');
      return {
        total,
        ...(facets && { facets }),
        items: items.map(
          ({ reason, ...item }): InboxItem => ({
            ...runFields,
            ...item,
            ...{ waiting_for: null, may_decide: item.status === 'pending' && mayUnlock },
            ...{ kind: 'agent', type: 'unlock', question: reason, reason: null, needs: 'org:admin' },
          }),
        ),
      };
    },
  };
}
