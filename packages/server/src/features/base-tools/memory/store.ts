import type { Memory } from '@atrium/contract/memories/schema.ts';
import type { Db } from '../../../db/database.ts';
import { nothing, type Sql, sql } from '../../../db/sql.ts';

/** The owner of memories: an agent or a conversation. */
export type Owner = { agent_id: string } | { conversation_id: string };

/** The person that a memory is about. */
export interface Subject {
  subject: Memory['subject'];
  subject_id: string | null;
}

export interface NewMemory extends Subject {
  id: string;
  text: string;
  from_conversation_id: string | null;
  from_run_id: string | null;
  actor_kind: string;
  actor_id: string;
  untrusted: boolean;
}

const columns = sql`id, workspace_id as group_id, agent_id, conversation_id, subject, subject_id, text,
  json_build_object('conversation_id', from_conversation_id, 'run_id', from_run_id,
    'actor', json_build_object('kind', actor_kind, 'id', actor_id), 'untrusted', untrusted) as provenance,
  created_at, updated_at`;

const ownedBy = (workspace_id: string, owner: Owner): Sql =>
  'agent_id' in owner
    ? sql`workspace_id = ${workspace_id} and agent_id = ${owner.agent_id}`
    : sql`workspace_id = ${workspace_id} and conversation_id = ${owner.conversation_id}`;

const about = ({ subject, subject_id }: Subject): Sql =>
  sql`and subject = ${subject} and subject_id is not distinct from ${subject_id}`;

/** A query of PostgreSQL that matches any of the words. Only letters and digits get this far. */
const queryOf = (text: string): string =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, 50).join(' | ');

export const insertMemory = async (db: Db, workspace_id: string, owner: Owner, row: NewMemory) =>
  await db.one<Memory>(sql`
    insert into memories (workspace_id, id, agent_id, conversation_id, subject, subject_id, text,
      from_conversation_id, from_run_id, actor_kind, actor_id, untrusted)
    values (${workspace_id}, ${row.id}, ${'agent_id' in owner ? owner.agent_id : null},
      ${'conversation_id' in owner ? owner.conversation_id : null}, ${row.subject}, ${row.subject_id}, ${row.text},
      ${row.from_conversation_id}, ${row.from_run_id}, ${row.actor_kind}, ${row.actor_id}, ${row.untrusted})
    returning ${columns}`);

/** An earlier memory with the same text and subject. */
export const findSameMemory = (db: Db, workspace_id: string, owner: Owner, whom: Subject, text: string) =>
  db.row<Memory>(sql`
    select ${columns} from memories where ${ownedBy(workspace_id, owner)} ${about(whom)} and text = ${text}`);

export const countOf = async (db: Db, workspace_id: string, owner: Owner, whom: Subject) =>
  (
    await db.row<{ total: number }>(
      sql`select count(*) as total from memories where ${ownedBy(workspace_id, owner)} ${about(whom)}`,
    )
  )?.total ?? 0;

export const findMemory = (db: Db, workspace_id: string, owner: Owner, id: string) =>
  db.row<Memory>(sql`select ${columns} from memories where ${ownedBy(workspace_id, owner)} and id = ${id}`);

/** Memories with words of the query first, best match first; then the newest. */
export const recall = (db: Db, workspace_id: string, owner: Owner, whom: Subject, query: string, limit: number) => {
  const asked = sql`to_tsquery('english', ${queryOf(query)})`;
  return db.rows<Memory>(sql`
    select ${columns} from memories where ${ownedBy(workspace_id, owner)} ${about(whom)}
    order by ts_rank(words, ${asked}) desc, id desc limit ${limit}`);
};

export interface MemoryFilter {
  search: string | undefined;
  subject_id: string | undefined;
}

const matching = (workspace_id: string, owner: Owner, { search, subject_id }: MemoryFilter): Sql => sql`
  where ${ownedBy(workspace_id, owner)}
  ${search ? sql`and words @@ to_tsquery('english', ${queryOf(search)})` : nothing}
  ${subject_id ? sql`and subject_id::text = ${subject_id.toLowerCase()}` : nothing}`;

/** Newest first. */
export const listMemories = (
  db: Db,
  workspace_id: string,
  owner: Owner,
  filter: MemoryFilter,
  { size, offset }: { size: number; offset: number },
) =>
  db.rows<Memory>(sql`
    select ${columns} from memories ${matching(workspace_id, owner, filter)}
    order by id desc limit ${size} offset ${offset}`);

export const countMemories = async (db: Db, workspace_id: string, owner: Owner, filter: MemoryFilter) =>
  (
    await db.row<{ total: number }>(sql`
      select count(*) as total from memories ${matching(workspace_id, owner, filter)}`)
  )?.total ?? 0;

/** Text of a user no longer comes from a run, so its origin is cleared. */
export const updateMemory = (
  db: Db,
  workspace_id: string,
  owner: Owner,
  id: string,
  row: Pick<NewMemory, 'text' | 'actor_kind' | 'actor_id'>,
) =>
  db.row<Memory>(sql`
    update memories set text = ${row.text}, actor_kind = ${row.actor_kind}, actor_id = ${row.actor_id},
      untrusted = false, updated_at = now()
    where ${ownedBy(workspace_id, owner)} and id = ${id} returning ${columns}`);

export const deleteMemory = (db: Db, workspace_id: string, owner: Owner, id: string, whom?: Subject) =>
  db.run(sql`
    delete from memories where ${ownedBy(workspace_id, owner)} and id = ${id} ${whom ? about(whom) : nothing}`);

export const deleteMemories = (db: Db, workspace_id: string, owner: Owner, filter: MemoryFilter) =>
  db.run(sql`delete from memories ${matching(workspace_id, owner, filter)}`);
