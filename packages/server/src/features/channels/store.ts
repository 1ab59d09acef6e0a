import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { storedText } from '../../db/stored-text/stored-text.ts';
import type { ChannelRef, Inbound } from './channel.ts';

export interface InboxRow {
  id: string;
  thread: string;
  ref: ChannelRef;
  payload: string;
  attempts: number;
}

/** True when it is the first delivery of this message. */
export async function insertInbound(db: Db, workspace_id: string, deployment_id: string, id: string, message: Inbound) {
  const { event_id, thread, ref, ...payload } = message;
  const added = await db.run(sql`
    insert into channel_inbox (workspace_id, id, deployment_id, event_id, thread, ref, payload)
    values (${workspace_id}, ${id}, ${deployment_id}, ${event_id}, ${thread}, ${JSON.stringify(ref)},
      ${storedText('channel_inbox.payload', workspace_id, id, JSON.stringify(payload))})
    on conflict (workspace_id, deployment_id, event_id) do nothing`);
  return added === 1;
}

/** The oldest message of a thread that has not reached its conversation. */
export const nextInbound = (db: Db, workspace_id: string, deployment_id: string, thread: string) =>
  db.row<InboxRow>(sql`
    select id, thread, ref, payload, attempts from channel_inbox
    where workspace_id = ${workspace_id} and deployment_id = ${deployment_id} and thread = ${thread}
      and status = 'pending'
    order by id limit 1`);

/** Its words are in the conversation from here on, or nowhere. */
export const endInbound = (
  db: Db,
  workspace_id: string,
  id: string,
  status: 'done' | 'ignored' | 'failed',
  run_id: string | null = null,
) =>
  db.run(sql`
    update channel_inbox set status = ${status}, run_id = ${run_id}, payload = null
    where workspace_id = ${workspace_id} and id = ${id}`);

export const countInboundAttempt = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`
    update channel_inbox set attempts = attempts + 1 where workspace_id = ${workspace_id} and id = ${id}`);

export interface ThreadRow {
  thread: string;
  conversation_id: string;
  ref: ChannelRef;
  placeholder: string | null;
}

const threadColumns = sql`thread, conversation_id, ref, placeholder`;

export const findThread = (db: Db, workspace_id: string, deployment_id: string, thread: string) =>
  db.row<ThreadRow>(sql`
    select ${threadColumns} from channel_threads
    where workspace_id = ${workspace_id} and deployment_id = ${deployment_id} and thread = ${thread}`);

export const threadOf = (db: Db, workspace_id: string, conversation_id: string) =>
  db.row<ThreadRow>(sql`
    select ${threadColumns} from channel_threads
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} limit 1`);

/** The thread and where its newest message came from. */
export const upsertThread = (
  db: Db,
  workspace_id: string,
  deployment_id: string,
  row: Pick<ThreadRow, 'thread' | 'conversation_id' | 'ref'>,
) =>
  db.run(sql`
    insert into channel_threads (workspace_id, deployment_id, thread, conversation_id, ref)
    values (${workspace_id}, ${deployment_id}, ${row.thread}, ${row.conversation_id}, ${JSON.stringify(row.ref)})
    on conflict (workspace_id, deployment_id, thread) do update set ref = excluded.ref`);

export const setPlaceholder = (db: Db, workspace_id: string, conversation_id: string, placeholder: string | null) =>
  db.run(sql`
    update channel_threads set placeholder = ${placeholder}
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id}`);

/** Where the message came from that a run answers. */
export const channelRefOfRun = async (db: Db, workspace_id: string, run_id: string) =>
  (
    await db.row<{ ref: ChannelRef }>(sql`
      select ref from channel_inbox where workspace_id = ${workspace_id} and run_id = ${run_id} limit 1`)
  )?.ref;

export interface OutboxRow {
  id: number;
  deployment_id: string;
  conversation_id: string;
  kind: 'message' | 'waiting' | 'notice';
  message_id: string | null;
  run_id: string | null;
  said: string | null;
  sent_length: number;
  sent_files: number;
  attempts: number;
  revision: number;
  steps: unknown;
}

export const nextOutgoing = (db: Db, workspace_id: string, conversation_id: string) =>
  db.row<OutboxRow>(sql`
    select id, deployment_id, conversation_id, kind, message_id, run_id, said, sent_length, sent_files, attempts,
      revision, steps
    from channel_outbox
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and status = 'pending'
    order by id limit 1`);

export const insertNotice = (
  db: Db,
  workspace_id: string,
  row: Pick<OutboxRow, 'deployment_id' | 'conversation_id' | 'said'>,
) =>
  db.run(sql`
    insert into channel_outbox (workspace_id, deployment_id, conversation_id, kind, said)
    values (${workspace_id}, ${row.deployment_id}, ${row.conversation_id}, 'notice', ${row.said})`);

export const recordSentLength = (db: Db, workspace_id: string, id: number, sent_length: number, sent_files: number) =>
  db.run(sql`
    update channel_outbox set sent_length = ${sent_length}, sent_files = ${sent_files}, attempts = 0, steps = null
    where workspace_id = ${workspace_id} and id = ${id}`);

/** Unless more to send has arrived in the meantime. */
export const endOutgoing = (
  db: Db,
  workspace_id: string,
  { id, revision }: Pick<OutboxRow, 'id' | 'revision'>,
  status: 'sent' | 'failed',
) =>
  db.run(sql`
    update channel_outbox set status = ${status}
    where workspace_id = ${workspace_id} and id = ${id} and revision = ${revision}`);

/** Counted before the attempt: an attempt that was in progress when the process died may have arrived. */
export const countOutgoingAttempt = (db: Db, workspace_id: string, id: number) =>
  db.run(sql`
    update channel_outbox set attempts = attempts + 1 where workspace_id = ${workspace_id} and id = ${id}`);

export const saveSendSteps = (db: Db, workspace_id: string, id: number, steps: object) =>
  db.run(sql`
    update channel_outbox set steps = ${JSON.stringify(steps)} where workspace_id = ${workspace_id} and id = ${id}`);

/** Channels deliver again for hours, not for weeks. */
export async function deleteOldMessages(db: Db): Promise<void> {
  await db.run(sql`delete from channel_inbox where created_at < now() - interval '30 days'`);
  await db.run(sql`delete from channel_outbox where created_at < now() - interval '30 days' and status <> 'pending'`);
  await db.run(sql`delete from channel_rates where began_at < now() - interval '1 day'`);
}

/** Counts one more, unless there are as many as may be; a window that is over begins anew. */
export const countRate = async (
  db: Db,
  workspace_id: string,
  deployment_id: string,
  { counted, most, seconds }: { counted: string; most: number; seconds: number },
): Promise<boolean> =>
  (await db.row(sql`
    insert into channel_rates as r (workspace_id, deployment_id, counted, began_at, count)
    values (${workspace_id}, ${deployment_id}, ${counted}, now(), 1)
    on conflict (workspace_id, deployment_id, counted) do update set
      began_at = case when r.began_at <= now() - make_interval(secs => ${seconds}) then now() else r.began_at end,
      count = case when r.began_at <= now() - make_interval(secs => ${seconds}) then 1 else r.count + 1 end
    where r.began_at <= now() - make_interval(secs => ${seconds}) or r.count < ${most}
    returning r.count`)) !== undefined;

/** In how many seconds a window is over. */
export const endOfRate = async (
  db: Db,
  workspace_id: string,
  deployment_id: string,
  { counted, seconds }: { counted: string; seconds: number },
): Promise<number> =>
  (
    await db.row<{ left: number }>(sql`
      select greatest(1, ceil(extract(epoch from began_at - now()) + ${seconds}))::integer as left from channel_rates
      where workspace_id = ${workspace_id} and deployment_id = ${deployment_id} and counted = ${counted}`)
  )?.left ?? 1;
