import type { InboxFilter } from '@atrium/contract/approvals/inbox-schema.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { ApprovalReason, ApprovalScope } from '@atrium/contract/runs/events.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { nothing, sql } from '../../db/sql.ts';
import { storedText, storedTextOrNull } from '../../db/stored-text/stored-text.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import { type Actor, namesOf, noPerson } from '../../lib/scope.ts';
import { sharedWith } from '../conversations/service.ts';

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
  scope: ApprovalScope;
  scope_ended_at: string | null;
  /** Whether an actor that caused the call may not decide. */
  four_eyes: boolean;
  status: RequestStatus;
  note: string | null;
  decided_by: string | null;
  decided_at: string | null;
  expires_at: string | null;
  created_at: string;
}

const columns = sql`id, workspace_id as group_id, conversation_id, run_id, kind, call_id, tool, arguments, reason, recipient, scope,
  scope_ended_at, four_eyes, status, note, decided_by, decided_at, expires_at, created_at`;

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
  | 'four_eyes'
  | 'expires_at'
> & {
  /** The digest of the tool. */
  definition: string | null;
};

export const insertRequest = (db: Db, workspace_id: string, request: NewRequest) =>
  db.run(sql`
    insert into human_requests (workspace_id, id, conversation_id, run_id, kind, call_id, tool, arguments, reason, recipient,
      definition, four_eyes, expires_at)
    values (${workspace_id}, ${request.id}, ${request.conversation_id}, ${request.run_id}, ${request.kind},
      ${request.call_id}, ${request.tool},
      ${storedText('human_requests.arguments', workspace_id, request.id, request.arguments)}, ${request.reason}, ${request.recipient},
      ${request.definition}, ${request.four_eyes}, ${request.expires_at})`);

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
  status: Exclude<RequestStatus, 'pending' | 'withdrawn'>;
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

/**
 * Everything that the actors behind a conversation's calls are known by: those whose messages it answered, or answers
 * again, who answered its questions, and who gave it settings or spoke in place of the agent. Words said at its
 * beginning can cause a call at its end, and words said to a conversation a call of its co-workers.
 */
export async function findActorNamesBehindCalls(
  db: Db,
  workspace_id: string,
  conversation_id: string,
): Promise<Set<string>> {
  const conversations = await db.rows<{ id: string; shaped_by: string[] }>(sql`
    select id, shaped_by from conversations where workspace_id = ${workspace_id} and (id = ${conversation_id}
      or id in (select unnest(charged_to) from conversations
        where workspace_id = ${workspace_id} and id = ${conversation_id}))`);
  const ids = conversations.map(({ id }) => id);
  const started = await db.rows<{ actor: string }>(sql`
    select distinct principal ->> 'actor' as actor from runs
    where workspace_id = ${workspace_id} and conversation_id = any(${ids}::uuid[])`);
  const answered = await db.rows<{ decided_names: string[] }>(sql`
    select distinct decided_names from human_requests
    where workspace_id = ${workspace_id} and conversation_id = any(${ids}::uuid[]) and kind = 'question'`);
  return new Set([
    ...conversations.flatMap(({ shaped_by }) => shaped_by),
    ...started.flatMap(({ actor }) => namesOf(parseStored<Actor>(actor))),
    ...answered.flatMap(({ decided_names }) => decided_names),
  ]);
}

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
export type CoveringApproval = Pick<RequestRow, 'id' | 'tool' | 'scope' | 'recipient' | 'decided_by'> & {
  definition: string | null;
};

/** With the callers of the runs that asked for them, as JSON text. */
export const listCoveringApprovals = (db: Db, workspace_id: string, conversation_id: string) =>
  db.rows<CoveringApproval & { principal: string }>(sql`
    select q.id, q.tool, q.scope, q.recipient, q.definition, q.decided_by, r.principal::text as principal
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
}

export async function listInboxRequests(
  db: Db,
  workspace_id: string,
  { status, conversation_id, person_id, ...filter }: InboxFilter & { person_id: string | undefined },
  window: PageWindow,
) {
  const standing = sql`case when q.status = 'pending' and q.expires_at <= now() then 'expired' else q.status end`;
  // Written out, so that PostgreSQL uses the index of pending requests.
  const open = sql`q.status = 'pending' and (q.expires_at is null or q.expires_at > now())`;
  const decided = sql`${standing} in ('approved', 'rejected', 'answered')`;
  const wanted = status === 'pending' ? open : status === 'decided' ? decided : sql`${standing} = ${status}`;
  const counted = sql`human_requests q`;
  // A person without conversations_read is asked only about their own conversations, and about tool calls of those that
  // they may write in.
  const own = sql`and (exists (select 1 from conversations o where o.workspace_id = q.workspace_id
      and o.id = q.conversation_id and o.owner_id = ${person_id ?? null})
    or q.kind = 'approval' and q.conversation_id in (${sharedWith(workspace_id, person_id ?? noPerson, 'write')}))`;
  const where = sql`q.workspace_id = ${workspace_id} ${status === 'all' ? nothing : sql`and ${wanted}`}
    ${conversation_id === undefined ? nothing : sql`and q.conversation_id = ${conversation_id}`}
    ${person_id === undefined ? nothing : own} ${listConditions(inboxColumns, filter)}`;
  return readPage<InboxRequestRow>(db, {
    columns: sql`q.id, q.workspace_id as group_id, q.conversation_id, q.run_id, q.kind, q.call_id, q.tool, q.arguments,
        q.reason, q.recipient, q.four_eyes, ${standing} as status, q.note, q.decided_by, q.decided_at, q.expires_at, q.created_at,
        c.name as conversation_name, c.assistant_id as agent_id, a.name as agent_name`,
    from: sql`${counted} join conversations c on c.workspace_id = q.workspace_id and c.id = q.conversation_id
        left join agents a on a.workspace_id = c.workspace_id and a.id = c.assistant_id`,
    ...{ counted, where, list: inboxColumns, window },
    facets: { kind: sql`'conversation'::text`, status: standing, tool: sql`q.tool` },
  });
}
