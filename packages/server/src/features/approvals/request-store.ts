import type { ActorName } from '@atrium/contract/actor.ts';
import type { InboxFilter } from '@atrium/contract/approvals/inbox-schema.ts';
import type { ReachedRecord } from '@atrium/contract/approvals/schema.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { ApprovalReason, ApprovalScope } from '@atrium/contract/runs/events.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { nothing, sql } from '../../db/sql.ts';
import { storedText, storedTextOrNull } from '../../db/stored-text/stored-text.ts';
import { type Actor, namesOf, noPerson } from '../../lib/scope.ts';
import { sharedWith } from '../conversations/service.ts';
import { namesPerson } from './decider-store.ts';

export type RequestStatus = 'pending' | 'approved' | 'rejected' | 'answered' | 'expired' | 'withdrawn';

/** A request of an agent run to people. */
export interface RequestRow {
  id: string;
  group_id: string;
  conversation_id: string;
  run_id: string;
  kind: 'approval' | 'question';
  call_id: string;
  tool: string;
  /** JSON text. */
  arguments: string;
  reason: ApprovalReason | null;
  /** The host that the call sends to. */
  recipient: string | null;
  /** All hosts that the call can send to, and what lies beneath its tool. */
  recipients: readonly string[];
  beneath: readonly ReachedRecord[];
  scope: ApprovalScope;
  scope_ended_at: string | null;
  /** Whether an actor that caused the call may not decide. */
  four_eyes: boolean;
  /** The people and user groups who are named to decide. */
  approvers: readonly string[];
  approver_groups: readonly string[];
  /** What the conversation had read when a person was asked; null: not known. */
  has_read: Taint[] | null;
  status: RequestStatus;
  note: string | null;
  decided_by: string | null;
  decided_at: string | null;
  expires_at: string | null;
  created_at: string;
}

const columns = sql`id, workspace_id as group_id, conversation_id, run_id, kind, call_id, tool, arguments, reason, recipient, recipients,
  beneath, scope, scope_ended_at, four_eyes, approvers, approver_groups, has_read, status, note, decided_by, decided_at, expires_at, created_at`;

export type NewRequest = Pick<
  RequestRow,
  | 'id'
  | 'conversation_id'
  | 'run_id'
  | 'kind'
  | 'call_id'
  | 'tool'
  | 'arguments'
  | 'reason'
  | 'recipient'
  | 'recipients'
  | 'beneath'
  | 'four_eyes'
  | 'approvers'
  | 'approver_groups'
  | 'has_read'
  | 'expires_at'
> & {
  /** The digest of the tool. */
  definition: string | null;
  /** The digests of the tools that send, by name. */
  definitions: Readonly<Record<string, string>> | null;
};

export const insertRequest = (db: Db, workspace_id: string, request: NewRequest) =>
  db.run(sql`
    insert into human_requests (workspace_id, id, conversation_id, run_id, kind, call_id, tool, arguments, reason, recipient,
      recipients, beneath, definition, definitions, four_eyes, approvers, approver_groups, has_read, expires_at)
    values (${workspace_id}, ${request.id}, ${request.conversation_id}, ${request.run_id}, ${request.kind},
      ${request.call_id}, ${request.tool},
      ${storedText('human_requests.arguments', workspace_id, request.id, request.arguments)}, ${request.reason}, ${request.recipient},
      ${request.recipients}::text[], ${JSON.stringify(request.beneath)}::jsonb, ${request.definition},
      ${request.definitions && JSON.stringify(request.definitions)}::jsonb, ${request.four_eyes}, ${request.approvers}::uuid[],
      ${request.approver_groups}::uuid[], ${request.has_read}::text[], ${request.expires_at})`);

export const findApproval = (db: Db, workspace_id: string, conversation_id: string, id: string) =>
  db.row<RequestRow>(sql`
    select ${columns} from human_requests
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and id = ${id} and kind = 'approval'`);

/** The oldest open question of a conversation. */
export const findOpenQuestion = (db: Db, workspace_id: string, conversation_id: string) =>
  db.row<RequestRow>(sql`
    select ${columns} from human_requests
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and kind = 'question'
      and status = 'pending' and (expires_at is null or expires_at > now())
    order by id limit 1`);

export interface RequestDecision {
  status: Exclude<RequestStatus, 'pending'>;
  note: string | null;
  scope?: ApprovalScope | undefined;
  /** Null when the request expired. */
  by: Actor | null;
}

/** Answers a request once. Undefined when it was answered before or has expired; it expires only after its time. */
export const settleRequest = (db: Db, workspace_id: string, id: string, { status, note, by, scope }: RequestDecision) =>
  db.row<RequestRow>(sql`
    update human_requests set status = ${status}, note = ${storedTextOrNull('human_requests.note', workspace_id, id, note)},
      scope = ${scope ?? 'once'}, decided_by = ${by?.id ?? null},
      decided_names = ${by ? namesOf(by) : []}, decided_at = now()
    where workspace_id = ${workspace_id} and id = ${id} and status = 'pending'
      and ${status === 'expired' ? sql`expires_at <= now()` : sql`(expires_at is null or expires_at > now())`}
    returning ${columns}`);

/** The caller that a run works for, as JSON text. */
export const findRunPrincipal = async (db: Db, workspace_id: string, run_id: string) =>
  (
    await db.row<{ principal: string }>(
      sql`select principal::text as principal from runs where workspace_id = ${workspace_id} and id = ${run_id}`,
    )
  )?.principal;

/** Withdraws the open requests of a run that is over. */
export const withdrawRequests = (db: Db, workspace_id: string, run_id: string) =>
  db.run(sql`
    update human_requests set status = 'withdrawn', decided_at = now()
    where workspace_id = ${workspace_id} and run_id = ${run_id} and status = 'pending'`);

/** Whether a run still waits for a decision or an answer. */
export const hasPendingRequests = async (db: Db, workspace_id: string, run_id: string) =>
  (await db.row(sql`
    select 1 from human_requests
    where workspace_id = ${workspace_id} and run_id = ${run_id} and status = 'pending' limit 1`)) !== undefined;

export const listRequestsOfRun = (db: Db, workspace_id: string, run_id: string) =>
  db.rows<RequestRow>(sql`
    select ${columns} from human_requests where workspace_id = ${workspace_id} and run_id = ${run_id}`);

/** An approval that covers later calls of its conversation. */
export type CoveringApproval = Pick<
  RequestRow,
  'id' | 'tool' | 'scope' | 'recipient' | 'decided_by' | 'approvers' | 'approver_groups'
> & {
  definition: string | null;
  definitions: Readonly<Record<string, string>> | null;
};

/** With the callers of the runs that asked for them, as JSON text. */
export const listCoveringApprovals = (db: Db, workspace_id: string, conversation_id: string) =>
  db.rows<CoveringApproval & { principal: string }>(sql`
    select q.id, q.tool, q.scope, q.recipient, q.definition, q.definitions, q.decided_by, q.approvers, q.approver_groups,
      r.principal::text as principal
    from human_requests q join runs r on r.workspace_id = q.workspace_id and r.id = q.run_id
    where q.workspace_id = ${workspace_id} and q.conversation_id = ${conversation_id} and q.status = 'approved'
      and q.scope <> 'once' and q.scope_ended_at is null order by q.id`);

/** Undefined when the approval covers nothing. */
export const endScope = (db: Db, workspace_id: string, conversation_id: string, id: string) =>
  db.row<RequestRow>(sql`
    update human_requests set scope_ended_at = now()
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and id = ${id}
      and status = 'approved' and scope <> 'once' and scope_ended_at is null
    returning ${columns}`);

/** How many requests of these conversations wait for people, by conversation. */
export async function countOpenRequests(db: Db, workspace_id: string, conversation_ids: readonly string[]) {
  if (conversation_ids.length === 0) return new Map<string, never>();
  const rows = await db.rows<{ conversation_id: string; approvals: number; questions: number }>(sql`
    select conversation_id, count(*) filter (where kind = 'approval') as approvals,
      count(*) filter (where kind = 'question') as questions
    from human_requests
    where workspace_id = ${workspace_id} and conversation_id = any(${[...conversation_ids]}::uuid[])
      and status = 'pending' and (expires_at is null or expires_at > now())
    group by conversation_id`);
  return new Map(rows.map((row) => [row.conversation_id, row]));
}

/** Expired requests of all workspaces. */
export const listExpiredRequests = (db: Db, limit: number) =>
  db.rows<RequestRow>(sql`
    select ${columns} from human_requests where status = 'pending' and expires_at <= now()
    order by expires_at limit ${limit}`);

const listColumns: ListColumns = { id: sql`id`, created_at: sql`created_at` };
const inboxColumns: ListColumns = {
  ...{ id: sql`q.id`, created_at: sql`q.created_at`, ids_rise: true },
  updated_at: sql`coalesce(q.decided_at, q.created_at)`,
};

export async function listApprovals(
  db: Db,
  workspace_id: string,
  conversation_id: string,
  { status, ...filter }: ListFilter & { status: RequestStatus | undefined },
  window: PageWindow,
) {
  const where = sql`workspace_id = ${workspace_id}
    and conversation_id = ${conversation_id} and kind = 'approval'
    ${status === undefined ? nothing : sql`and status = ${status}`} ${listConditions(listColumns, filter)}`;
  return readPage<RequestRow>(db, { columns, from: sql`human_requests`, where, list: listColumns, window });
}

/** A request with the names of its conversation and agent. Past its time it counts as expired before it is ended. */
export interface InboxRequestRow extends Omit<RequestRow, 'scope' | 'scope_ended_at'> {
  conversation_name: string | null;
  agent_id: string | null;
  agent_name: string | null;
  asked_by: string | null;
  asked_kind: ActorName['kind'];
  /** The end user of a channel for whom the conversation is. */
  end_user_name: string | null;
}

export async function listInboxRequests(
  db: Db,
  workspace_id: string,
  {
    status,
    conversation_id,
    person_id,
    named_person_id,
    ...filter
  }: InboxFilter & { person_id: string | undefined; named_person_id: string | null },
  window: PageWindow,
) {
  const standing = sql`case when q.status = 'pending' and q.expires_at <= now() then 'expired' else q.status end`;
  // Written out, so that PostgreSQL uses the index of pending requests.
  const open = sql`q.status = 'pending' and (q.expires_at is null or q.expires_at > now())`;
  const decided = sql`${standing} in ('approved', 'rejected', 'answered')`;
  const wanted = status === 'pending' ? open : status === 'decided' ? decided : sql`${standing} = ${status}`;
  const counted = sql`human_requests q`;
  // Whoever is named sees what waits for them, also of conversations that they may not read.
  const isNamed = sql`q.kind = 'approval' and (q.approvers <> '{}' or q.approver_groups <> '{}')
    and (q.decided_by = ${person_id ?? noPerson} or q.status = 'pending' and exists (
      select from deciders_of_requests(q.workspace_id, array[q.id], ${person_id ?? noPerson}, '{}', 0) d where d.includes))`;
  // A person without conversations_read is asked only about their own conversations, and about tool calls of those that
  // they may write in.
  const own = sql`and (exists (select 1 from conversations o where o.workspace_id = q.workspace_id
      and o.id = q.conversation_id and o.owner_id = ${person_id ?? null})
    or q.kind = 'approval' and q.conversation_id in (${sharedWith(workspace_id, person_id ?? noPerson, 'write')})
    or ${isNamed})`;
  const where = sql`q.workspace_id = ${workspace_id} ${status === 'all' ? nothing : sql`and ${wanted}`}
    ${conversation_id === undefined ? nothing : sql`and q.conversation_id = ${conversation_id}`}
    ${filter.named ? namesPerson(named_person_id) : nothing}
    ${person_id === undefined ? nothing : own} ${listConditions(inboxColumns, filter)}`;
  return readPage<InboxRequestRow>(db, {
    columns: sql`q.id, q.workspace_id as group_id, q.conversation_id, q.run_id, q.kind, q.call_id, q.tool, q.arguments,
        q.reason, q.recipient, q.recipients, q.beneath, q.four_eyes, q.approvers, q.approver_groups, q.has_read, ${standing} as status, q.note, q.decided_by, q.decided_at, q.expires_at, q.created_at,
        c.name as conversation_name, c.assistant_id as agent_id, a.name as agent_name,
        r.principal #>> '{actor,id}' as asked_by, r.principal #>> '{actor,kind}' as asked_kind, end_user_of(q.workspace_id, c.user_id) as end_user_name`,
    from: sql`${counted} join conversations c on c.workspace_id = q.workspace_id and c.id = q.conversation_id
        left join agents a on a.workspace_id = c.workspace_id and a.id = c.assistant_id
        left join runs r on r.workspace_id = q.workspace_id and r.id = q.run_id`,
    ...{ counted, where, list: inboxColumns, window },
    facets: { kind: sql`'conversation'::text`, status: standing, tool: sql`q.tool` },
  });
}
