import type { Approval, ApprovalDecision } from '@atrium/contract/approvals/approval-schema.ts';
import { conflict, forbidden, notFound } from '@atrium/contract/errors.ts';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Database, Db } from '../../db/database.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import { namesOf, type Scope } from '../../lib/scope.ts';
import type { Transcript } from '../conversations/ports.ts';
import type { Conversations } from '../conversations/service.ts';
import type { Handover, StartRun, WaitingRuns } from './ports.ts';
import * as requests from './request-store.ts';

export type People = ReturnType<typeof makeApprovals>;

const expireAtOnce = 50;

const shown = (row: requests.RequestRow): Approval => {
  const { group_id: _, kind: __, call_id: tool_call_id, reason, arguments: text, status, ...rest } = row;
  return {
    ...rest,
    tool_call_id,
    arguments: JSON.parse(text),
    reason: reason ?? 'tool',
    status: status as Approval['status'],
  };
};

/**
 * What runs ask of people, and what people say. Whoever answers holds the conversation, as the run does when it begins to
 * wait: so an answer is given once, and the last one that a run waits for sets it going again, on the node that took it.
 */
export function makeApprovals(options: {
  db: Database;
  log: Log;
  transcript: Transcript;
  conversations: Conversations;
  handover: Handover;
  runs: WaitingRuns;
}) {
  const { db, transcript, handover, runs } = options;

  /** Answers a request, in a transaction that holds the conversation. Undefined when it was answered before. */
  async function settle(tx: Db, asked: requests.RequestRow, decided: requests.Decided) {
    const { group_id, run_id, conversation_id } = asked;
    const row = await requests.settleRequest(tx, group_id, asked.id, decided);
    if (!row) return undefined;
    const isWaiting = await requests.hasPendingRequests(tx, group_id, run_id);
    // A run that has not paused yet reads the answer itself.
    const resumed = isWaiting ? undefined : await runs.resume(tx, group_id, run_id);
    if (resumed) await transcript.setStatus(tx, group_id, conversation_id, 'running');
    return { row, resumed };
  }

  async function hold(tx: Db, workspace_id: string, conversation_id: string): Promise<void> {
    if (!(await transcript.lock(tx, workspace_id, conversation_id))) throw notFound('conversation');
  }

  /** Whether a decision is left to others is kept with the question: settings that change later do not open it. */
  async function requireSecondPerson(tx: Db, { actor, workspace_id }: Scope, asked: requests.RequestRow) {
    if (!asked.four_eyes) return;
    const behind = await requests.findActorNamesBehindCalls(tx, workspace_id, asked.conversation_id);
    if (namesOf(actor).some((name) => behind.has(name)))
      throw forbidden(
        'This key has a part in the conversation, and four_eyes asks for the decision of another one',
        'four_eyes',
      );
  }

  return {
    async list(
      scope: Scope,
      conversation_id: string,
      query: PageQuery & { status?: Approval['status'] | undefined },
    ): Promise<Paged<Approval>> {
      await transcript.read(scope, conversation_id);
      const window = { ...pageOf(query), status: query.status };
      const { rows, total } = await requests.listApprovals(db, scope.workspace_id, conversation_id, window);
      return pageAnswer(rows.map(shown), total, window);
    },

    async decide(scope: Scope, conversation_id: string, id: string, { decision, note }: ApprovalDecision) {
      const { workspace_id } = scope;
      let resumed: StartRun | undefined;
      const answer = await db.transaction(scope, async (tx) => {
        await hold(tx, workspace_id, conversation_id);
        const asked = await requests.findApproval(tx, workspace_id, conversation_id, id);
        if (!asked) throw notFound('approval');
        await requireSecondPerson(tx, scope, asked);
        const status = decision === 'approve' ? 'approved' : 'rejected';
        const settled = await settle(tx, asked, { status, note: note ?? null, by: scope.actor });
        if (!settled) {
          const how = asked.status === 'pending' ? 'expired' : asked.status;
          throw conflict(`This approval is over: it was ${how}`, 'approval_answered');
        }
        resumed = settled.resumed;
        return shown(settled.row);
      });
      resumed?.();
      return answer;
    },

    /** What a person says: to the question that has waited longest, or in place of the agent. */
    async say(scope: Scope, conversation_id: string, content: string) {
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

    /** Nobody is to answer any more. A run that would go on after them is carried to its end like any that is stopped. */
    async stop(
      { workspace_id }: Scope,
      { id, conversation_id }: { id: string; conversation_id: string },
    ): Promise<void> {
      let resumed: StartRun | undefined;
      const ended = await db.transaction(undefined, async (tx) => {
        await hold(tx, workspace_id, conversation_id);
        if (!(await requests.hasPendingRequests(tx, workspace_id, id))) return handover.stop(tx, workspace_id, id);
        await runs.requestStop(tx, workspace_id, id);
        resumed = await runs.resume(tx, workspace_id, id);
        if (resumed) await transcript.setStatus(tx, workspace_id, conversation_id, 'running');
        return undefined;
      });
      resumed?.();
      if (ended) handover.tell(ended);
    },

    /** Whatever nobody has answered in time, in any workspace, counts as refused. */
    async expire(): Promise<void> {
      for (const due of await requests.listExpiredRequests(db, expireAtOnce)) {
        try {
          const settled = await db.transaction(undefined, async (tx) => {
            await hold(tx, due.group_id, due.conversation_id);
            return settle(tx, due, { status: 'expired', note: null, by: null });
          });
          settled?.resumed?.();
        } catch (error) {
          options.log.warn('A request to people could not be ended', { id: due.id, ...errorFields(error) });
        }
      }
    },
  };
}
