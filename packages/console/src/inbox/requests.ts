import type { InboxItem } from '@atrium/contract/approvals/inbox-schema.ts';
import type { Atrium } from '@atrium/sdk';
import { t } from '../text/en.ts';

/** What people are asked, as the inbox and the chat show it. */
export type Request = Omit<InboxItem, 'tool_call_id' | 'asked_by' | 'decided_by'>;
export type Scope = 'once' | 'tool' | 'recipient' | 'conversation';
export interface Decision {
  approve: boolean;
  note?: string | undefined;
  scope?: Scope | undefined;
}

type Client = InstanceType<typeof Atrium>;

/** The question as a title: what happens if the answer is yes. */
export function titleOf(request: Request): string {
  if (request.type === 'unlock') return t.inbox.unlock(request.lock ?? '', request.agent_name ?? t.inbox.anAgent);
  return request.question ?? t.inbox.toolUse(request.tool ?? '');
}

/** Who asks, in one line. */
export function askerOf(request: Request): string {
  if (request.kind === 'workflow')
    return t.inbox.step(request.node_name ?? request.node_id ?? '', request.workflow_name ?? t.inbox.aWorkflow);
  if (request.type === 'unlock') return t.inbox.asksUnlock(request.asked_by_actor?.name ?? t.inbox.somebody);
  const agent = request.agent_name ?? t.inbox.anAgent;
  return request.type === 'question' ? t.inbox.asks(agent) : t.inbox.wants(agent, request.tool ?? '');
}

/** Who caused the request: a person by name, else what kind of caller it was. */
export function causerOf({ asked_by_actor: actor }: Pick<Request, 'asked_by_actor'>): string | undefined {
  if (!actor) return undefined;
  if (actor.kind === 'link' || actor.kind === 'channel')
    return actor.name ? `${t.inbox.visitor} (${actor.name})` : t.inbox.visitor;
  return actor.name ?? (actor.kind === 'trigger' ? t.inbox.aTrigger : t.inbox.aProgram);
}

/** Why a person is asked, as it was when they were. */
export function reasonOf({ reason, has_read }: Pick<Request, 'reason' | 'has_read'>): string | undefined {
  if (reason !== 'egress' || !has_read) return reason ? t.inbox.reasons[reason] : undefined;
  return has_read.length === 2 ? t.inbox.egressReasons.both : t.inbox.egressReasons.policy;
}

/** How a request ended, with who decided. */
export function outcomeOf({ status, decided_by_actor }: Pick<Request, 'status' | 'decided_by_actor'>): string {
  const who = decided_by_actor?.name ?? t.inbox.somebody;
  if (status === 'approved' || status === 'rejected' || status === 'answered') return t.inbox.states[status](who);
  if (status !== 'withdrawn') return t.inbox.states.expired;
  return decided_by_actor ? t.inbox.states.takenBack(who) : t.inbox.states.withdrawn;
}

/** Sends a yes or no to where this kind of request takes it. */
export function decide(client: Client, request: Request, { approve, note, scope }: Decision): Promise<unknown> {
  const said = note ? { note } : {};
  const decision = approve ? ('approve' as const) : ('reject' as const);
  if (request.type === 'unlock')
    return client.unlockRequests.decide(request.agent_id ?? '', request.id, {
      decision: approve ? 'unlock' : 'refuse',
      ...said,
    });
  if (request.kind === 'workflow')
    return client.approvals.decideOfRun(request.run_id ?? '', request.id, { decision, ...said });
  return client.approvals.decide(request.conversation_id ?? '', request.id, {
    decision,
    ...said,
    ...(approve && scope && { scope }),
  });
}

/** Takes a request back, for the person who asked. */
export const takeBack = (client: Client, request: Request): Promise<unknown> =>
  request.kind === 'workflow'
    ? client.approvals.decideOfRun(request.run_id ?? '', request.id, { decision: 'withdraw' })
    : client.approvals.decide(request.conversation_id ?? '', request.id, { decision: 'withdraw' });

/** Answers a question of an agent in words. */
export const answerQuestion = (client: Client, request: Request, content: string): Promise<unknown> =>
  client.messages.replyAsPerson(request.conversation_id ?? '', { content });
