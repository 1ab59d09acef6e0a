import type { Approval, ApprovalDecision } from '@atrium/contract/approvals/schema.ts';
import { conflict, forbidden, notFound } from '@atrium/contract/errors.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Database, Db } from '../../db/database.ts';
import type { StoredPrincipal } from '../../execution/run-queue.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import { omit } from '../../lib/omit.ts';
import { required } from '../../lib/required.ts';
import { personBehind, type Scope } from '../../lib/scope.ts';
import { withActors } from '../actors/service.ts';
import type { Transcript, WholeConversation } from '../conversations/ports.ts';
import type { Conversations } from '../conversations/service.ts';
import { requireAllowedScope } from './approval-scope.ts';
import { findDeciders } from './decider-store.ts';
import { notTheAsker, readStandings, requireDecider } from './deciders.ts';
import type { Handover, StartRun, WaitingRuns } from './ports.ts';
import * as requests from './request-store.ts';
import { askerOf } from './run-requests.ts';
import { showBeneath } from './show-beneath.ts';

export { approvalNeed, entriesFor } from './approval-need.ts';
export { handOnApprovers, inheritedFor, scopeOfCall, withInherited } from './inherited-approvers.ts';
export { type ApprovalRequesterOptions, makeApprovalRequester, resolveDecision } from './request-approvals.ts';
export { countOpenRequests } from './request-store.ts';

/** The requests of agent runs to people: approvals of tool calls, questions, and handovers. */
export interface Approvals {
  list(
    scope: Scope,
    conversation_id: string,
    query: PageQuery & ListFilter & { status?: Approval['status'] | undefined },
  ): Promise<Paged<Approval>>;
  /** Approves or rejects a tool call, once. */
  decide(scope: Scope, conversation_id: string, id: string, decision: ApprovalDecision): Promise<Approval>;
  /** Ends what an approval covers besides its own call. */
  endScope(scope: Scope, conversation_id: string, id: string): Promise<Approval>;
  /** Answers the question that has waited longest or, when there is none, replies in place of the agent. */
  say(scope: Scope, conversation_id: string, content: string): Promise<WholeConversation>;
  /** Stops a run that waits for people. A run that would go on afterwards resumes and ends like any stopped run. */
  stop(scope: Scope, run: { id: string; conversation_id: string }): Promise<void>;
  /** Ends the requests of all workspaces whose time is over; they count as rejected. */
  expire(): Promise<void>;
}

const statusAfter = { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn' } as const;

const maxExpiredAtOnce = 50;

const isOpen = ({ status, expires_at }: Pick<requests.RequestRow, 'status' | 'expires_at'>) =>
  status === 'pending' && (expires_at === null || Date.parse(expires_at) > Date.now());

async function present(on: Db, scope: Scope, rows: readonly requests.RequestRow[]): Promise<Approval[]> {
  const named = await withActors(on, scope, rows, 'decided_by');
  const standingOf = await readStandings(
    on,
    scope,
    rows.filter(isOpen).map(({ id }) => ({ id, needs: ['agents_run'] })),
  );
  return named.map((row) => ({
    ...omit(row, ['group_id', 'kind', 'call_id', 'approvers', 'approver_groups']),
    ...standingOf(row.id),
    tool_call_id: row.call_id,
    recipients: [...row.recipients],
    beneath: showBeneath(scope, row.beneath),
    arguments: JSON.parse(row.arguments),
    reason: row.reason ?? 'tool',
    // Only questions are answered with text.
    status: row.status as Approval['status'],
  }));
}
const presentOne = async (on: Db, scope: Scope, row: requests.RequestRow) =>
  required((await present(on, scope, [row]))[0]);

/**
 * Both an answer and a run that pauses lock the conversation. So a request is answered once, and the last answer that a run
 * waits for resumes it, on the node that received the answer.
 */
export function makeApprovals(options: {
  db: Database;
  log: Log;
  transcript: Transcript;
  conversations: Conversations;
  handover: Handover;
  runs: WaitingRuns;
}): Approvals {
  const { db, transcript, handover, runs } = options;

  /** Answers a request, in a transaction that locks the conversation. Undefined when it was answered before. */
  async function settle(tx: Db, asked: requests.RequestRow, decision: requests.RequestDecision) {
    const { group_id, run_id, conversation_id } = asked;
    const row = await requests.settleRequest(tx, group_id, asked.id, decision);
    if (!row) return undefined;
    const isWaiting = await requests.hasPendingRequests(tx, group_id, run_id);
    // A run that has not paused yet reads the answer itself.
    const resumed = isWaiting ? undefined : await runs.resume(tx, group_id, run_id);
    if (resumed) await transcript.setStatus(tx, group_id, conversation_id, 'running');
    return { row, resumed };
  }

  async function lock(tx: Db, workspace_id: string, conversation_id: string): Promise<void> {
    if (!(await transcript.lock(tx, workspace_id, conversation_id))) throw notFound('conversation');
  }

  /** `four_eyes` and who is named are stored with the request: settings that change later do not loosen it. */
  async function requireDeciderOf(tx: Db, scope: Scope, asked: requests.RequestRow) {
    const behind = 'This key has a part in the conversation, and four_eyes asks for the decision of another one';
    await requireDecider(tx, scope, asked.id, behind);
  }

  /** Only the caller that the run works for takes its request back. */
  async function requireAsker(tx: Db, scope: Scope, { group_id, run_id }: requests.RequestRow) {
    const principal = await requests.findRunPrincipal(tx, group_id, run_id);
    if (!principal || askerOf(parseStored<StoredPrincipal>(principal)) !== askerOf(scope)) throw notTheAsker();
  }

  /** Who is named decides also where they may not write in the conversation, or not even read it. */
  async function requireWritable(scope: Scope, conversation_id: string, id: string) {
    try {
      await transcript.read(scope, conversation_id);
      if (scope.shared?.access === 'read')
        throw forbidden('This conversation is shared with you for reading only', 'shared_read_only');
    } catch (error) {
      const [standing] = await findDeciders(
        db,
        scope.workspace_id,
        [id],
        { person_id: personBehind(scope), names: [] },
        0,
      );
      if (!standing?.is_named || !standing.includes) throw error;
    }
  }

  return {
    async list(scope, conversation_id, query) {
      await transcript.read(scope, conversation_id);
      const window = pageOf(query);
      const filter = { ...query, status: query.status };
      const { rows, total, last } = await requests.listApprovals(
        db,
        scope.workspace_id,
        conversation_id,
        filter,
        window,
      );
      return pageAnswer(await present(db, scope, rows), total, window, last);
    },

    async decide(scope, conversation_id, id, given) {
      const { decision, note, scope: covers } = given;
      const { workspace_id } = scope;
      let resumed: StartRun | undefined;
      await requireWritable(scope, conversation_id, id);
      const answer = await db.transaction(scope, async (tx) => {
        await lock(tx, workspace_id, conversation_id);
        const asked = await requests.findApproval(tx, workspace_id, conversation_id, id);
        if (!asked) throw notFound('approval');
        if (decision === 'withdraw') await requireAsker(tx, scope, asked);
        else await requireDeciderOf(tx, scope, asked);
        requireAllowedScope(asked, given);
        const status = statusAfter[decision];
        const settled = await settle(tx, asked, { status, note: note ?? null, scope: covers, by: scope.actor });
        if (!settled) {
          const how = asked.status === 'pending' ? 'expired' : asked.status;
          throw conflict(`This approval is over: it was ${how}`, 'approval_answered');
        }
        resumed = settled.resumed;
        return presentOne(tx, scope, settled.row);
      });
      resumed?.();
      return answer;
    },

    async endScope(scope, conversation_id, id) {
      const { workspace_id } = scope;
      await transcript.read(scope, conversation_id);
      return db.transaction(scope, async (tx) => {
        await lock(tx, workspace_id, conversation_id);
        if (!(await requests.findApproval(tx, workspace_id, conversation_id, id))) throw notFound('approval');
        const ended = await requests.endScope(tx, workspace_id, conversation_id, id);
        if (!ended) throw conflict('This approval covers no later calls', 'nothing_covered');
        return presentOne(tx, scope, ended);
      });
    },

    async say(scope, conversation_id, content) {
      let resumed: StartRun | undefined;
      let ended: string | undefined;
      const conversation = await options.conversations.change(scope, conversation_id, async (tx) => {
        const asked = await requests.findOpenQuestion(tx, scope.workspace_id, conversation_id);
        const answer = { status: 'answered' as const, note: content, by: scope.actor };
        const settled = asked && (await settle(tx, asked, answer));
        resumed = settled?.resumed;
        if (!settled) ended = await handover.answer(tx, scope, conversation_id, content);
      });
      resumed?.();
      if (ended) handover.tell(ended);
      return conversation;
    },

    async stop({ workspace_id }, { id, conversation_id }) {
      let resumed: StartRun | undefined;
      const ended = await db.transaction(undefined, async (tx) => {
        await lock(tx, workspace_id, conversation_id);
        if (!(await requests.hasPendingRequests(tx, workspace_id, id))) return handover.stop(tx, workspace_id, id);
        await runs.requestStop(tx, workspace_id, id);
        resumed = await runs.resume(tx, workspace_id, id);
        if (resumed) await transcript.setStatus(tx, workspace_id, conversation_id, 'running');
        return undefined;
      });
      resumed?.();
      if (ended) handover.tell(ended);
    },

    async expire() {
      for (const due of await requests.listExpiredRequests(db, maxExpiredAtOnce)) {
        try {
          const settled = await db.transaction(undefined, async (tx) => {
            await lock(tx, due.group_id, due.conversation_id);
            return settle(tx, due, { status: 'expired', note: null, by: null });
          });
          settled?.resumed?.();
        } catch (error) {
          options.log.warn('approval.expire_failed', { id: due.id, ...errorFields(error) });
        }
      }
    },
  };
}
