import type { Db } from '../../../db/database.ts';
import { nextEtag } from '../../../db/etag.ts';
import { sql } from '../../../db/sql.ts';

/** The first message of a branch that is not shown, with the place that it stood at. */
export interface BranchRow {
  /** The message before it; 0 for none. */
  parent_seq: number;
  /** What its messages are marked with; null for the branch that is shown. */
  superseded_by: string | null;
  seq: number;
  id: string;
  parts: string;
  created_at: string;
  written_by: string | null;
  /** How many messages it has. */
  messages: number;
}

const parentOf = sql`coalesce(m.parent_seq, m.seq - 1)`;

/** The branches that can be chosen: those that follow a message that is shown. Oldest first. */
export const listHiddenBranches = (db: Db, workspace_id: string, conversation_id: string) =>
  db.rows<BranchRow>(sql`
    with replaced as (
      select superseded_by, min(seq) as seq, count(*)::int as messages from messages
      where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and superseded_by is not null
      group by superseded_by)
    select ${parentOf} as parent_seq, m.superseded_by, m.seq, m.id, m.parts, m.created_at, m.written_by, r.messages
    from replaced r join messages m
      on m.workspace_id = ${workspace_id} and m.conversation_id = ${conversation_id} and m.seq = r.seq
    where ${parentOf} = 0 or exists (
      select from messages p where p.workspace_id = ${workspace_id} and p.conversation_id = ${conversation_id}
        and p.seq = ${parentOf} and p.superseded_by is null)
    order by m.seq`);

/** The messages that are shown at these places, each the first of what is shown from there on. */
export const listShownBranches = (db: Db, workspace_id: string, conversation_id: string, parents: readonly number[]) =>
  db.rows<BranchRow>(sql`
    select place.parent_seq, m.superseded_by, m.seq, m.id, m.parts, m.created_at, m.written_by, (
        select count(*)::int from messages l where l.workspace_id = ${workspace_id}
          and l.conversation_id = ${conversation_id} and l.superseded_by is null and l.seq >= m.seq) as messages
    from unnest(${[...parents]}::int[]) as place (parent_seq) cross join lateral (
      select * from messages n where n.workspace_id = ${workspace_id} and n.conversation_id = ${conversation_id}
        and n.superseded_by is null and n.seq > place.parent_seq order by n.seq limit 1) m`);

/** The place where a message stands, or of a reply that of the message that it answers; none in a branch that is not shown. */
export const findPlace = async (db: Db, workspace_id: string, conversation_id: string, id: string) =>
  (
    await db.row<{ place: number }>(sql`
      with asked as (
        select seq, role, superseded_by from messages
        where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and id = ${id})
      select found.place from (
        select ${parentOf} as place from messages m, asked
        where m.workspace_id = ${workspace_id} and m.conversation_id = ${conversation_id} and m.seq <= asked.seq
          and m.superseded_by is not distinct from asked.superseded_by and (asked.role = 'user' or m.role = 'user')
        order by m.seq desc limit 1) found
      where found.place = 0 or exists (
        select from messages p where p.workspace_id = ${workspace_id} and p.conversation_id = ${conversation_id}
          and p.seq = found.place and p.superseded_by is null)`)
  )?.place;

/** Shown or not. */
export const findAnyMessage = (db: Db, workspace_id: string, conversation_id: string, id: string) =>
  db.row<{ seq: number; role: string; superseded_by: string | null }>(sql`
    select seq, role, superseded_by from messages
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and id = ${id}`);

/** Shows a branch again. */
export async function showBranch(tx: Db, workspace_id: string, conversation_id: string, branch: string): Promise<void> {
  await tx.run(sql`
    update messages set superseded_by = null
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and superseded_by = ${branch}`);
  await tx.run(sql`
    update conversations set last_updated_at = now(), ${nextEtag()}
    where workspace_id = ${workspace_id} and id = ${conversation_id}`);
}
