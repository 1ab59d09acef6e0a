import type { Memory } from '@atrium/contract/memories/schema.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Db } from '../../../db/database.ts';
import { readPage } from '../../../db/read-page.ts';
import { nothing, type Sql, sql } from '../../../db/sql.ts';

/**
 * The owner of memories: an agent or a conversation. With `only_of`, an agent has only the memories about that person and
 * those about nobody in particular.
 */
export type Owner = { agent_id: string; only_of?: string | undefined } | { conversation_id: string };

/** The person that a memory is about. */
export interface Subject {
  subject: Memory['subject'];
  subject_id: string | null;
}

/** A memory without the names of its actor and subject, which are read where names are kept. */
export type UnnamedMemory = Omit<Memory, 'provenance' | 'subject_name'> & {
  provenance: Omit<Memory['provenance'], 'actor'> & { actor: Omit<Memory['provenance']['actor'], 'name'> };
};

/** A memory as it is stored: its text is in a sealed box. Rows from before hold plain text instead. */
export type StoredMemory = Omit<UnnamedMemory, 'text'> & { sealed: string | null; text: string | null };

export interface NewMemory extends Subject {
  id: string;
  sealed: string;
  from_conversation_id: string | null;
  from_run_id: string | null;
  actor_kind: string;
  actor_id: string;
  untrusted: boolean;
}

const columns = sql`id, workspace_id as group_id, agent_id, conversation_id, subject, subject_id, text, sealed,
  json_build_object('conversation_id', from_conversation_id, 'run_id', from_run_id,
    'actor', json_build_object('kind', actor_kind, 'id', actor_id), 'untrusted', untrusted) as provenance,
  created_at, updated_at, etag::text as etag`;

const aboutOnly = (person_id: string | undefined): Sql =>
  person_id === undefined ? nothing : sql`and (subject = 'everyone' or subject_id::text = ${person_id})`;

const ownedBy = (workspace_id: string, owner: Owner): Sql =>
  'agent_id' in owner
    ? sql`workspace_id = ${workspace_id} and agent_id = ${owner.agent_id} ${aboutOnly(owner.only_of)}`
    : sql`workspace_id = ${workspace_id} and conversation_id = ${owner.conversation_id}`;

const about = ({ subject, subject_id }: Subject): Sql =>
  sql`and subject = ${subject} and subject_id is not distinct from ${subject_id}`;

export const insertMemory = async (db: Db, workspace_id: string, owner: Owner, row: NewMemory) =>
  await db.one<StoredMemory>(sql`
    insert into memories (workspace_id, id, agent_id, conversation_id, subject, subject_id, sealed,
      from_conversation_id, from_run_id, actor_kind, actor_id, untrusted)
    values (${workspace_id}, ${row.id}, ${'agent_id' in owner ? owner.agent_id : null},
      ${'conversation_id' in owner ? owner.conversation_id : null}, ${row.subject}, ${row.subject_id}, ${row.sealed},
      ${row.from_conversation_id}, ${row.from_run_id}, ${row.actor_kind}, ${row.actor_id}, ${row.untrusted})
    returning ${columns}`);

export const findMemory = (db: Db, workspace_id: string, owner: Owner, id: string) =>
  db.row<StoredMemory>(sql`select ${columns} from memories where ${ownedBy(workspace_id, owner)} and id = ${id}`);

/** All memories about one subject, newest first. Their number is bounded when they are written. */
export const listAbout = (db: Db, workspace_id: string, owner: Owner, whom: Subject) =>
  db.rows<StoredMemory>(sql`
    select ${columns} from memories where ${ownedBy(workspace_id, owner)} ${about(whom)} order by id desc`);

const matching = (workspace_id: string, owner: Owner, subject_id: string | undefined): Sql => sql`
  ${ownedBy(workspace_id, owner)}
  ${subject_id ? sql`and subject_id::text = ${subject_id.toLowerCase()}` : nothing}`;

/** Newest first. */
export const listMemories = (
  db: Db,
  workspace_id: string,
  owner: Owner,
  subject_id: string | undefined,
  window: PageWindow,
) =>
  readPage<StoredMemory>(db, {
    ...{ columns, from: sql`memories`, where: matching(workspace_id, owner, subject_id), window },
    list: { id: sql`id`, created_at: sql`created_at` },
  });

/** Text of a user no longer comes from a run, so its origin is cleared. */
export const updateMemory = (
  db: Db,
  workspace_id: string,
  owner: Owner,
  id: string,
  row: Pick<NewMemory, 'sealed' | 'actor_kind' | 'actor_id'>,
) =>
  db.row<StoredMemory>(sql`
    update memories set sealed = ${row.sealed}, text = null, actor_kind = ${row.actor_kind},
      actor_id = ${row.actor_id}, untrusted = false, updated_at = now()
    where ${ownedBy(workspace_id, owner)} and id = ${id} returning ${columns}`);

export const deleteMemory = (db: Db, workspace_id: string, owner: Owner, id: string, whom?: Subject) =>
  db.run(sql`
    delete from memories where ${ownedBy(workspace_id, owner)} and id = ${id} ${whom ? about(whom) : nothing}`);

export const deleteMemories = (db: Db, workspace_id: string, owner: Owner, subject_id: string | undefined) =>
  db.run(sql`delete from memories where ${matching(workspace_id, owner, subject_id)}`);

/** Rows from before memories were sealed. */
export const listUnsealed = (db: Db, limit: number) =>
  db.rows<{ workspace_id: string; id: string; text: string }>(sql`
    select workspace_id, id, text from memories where text is not null limit ${limit}`);

/** Puts the text of a row from before into a box, unless it was changed meanwhile. */
export const sealMemory = (db: Db, workspace_id: string, id: string, text: string, sealed: string) =>
  db.run(sql`
    update memories set sealed = ${sealed}, text = null
    where workspace_id = ${workspace_id} and id = ${id} and text = ${text}`);

/** The memories about a person, in whichever agent or conversation. */
export const listAboutPerson = (
  db: Db,
  workspace_ids: readonly string[],
  person_id: string,
  after: string,
  limit: number,
) =>
  db.rows<StoredMemory>(sql`
    select ${columns} from memories
    where subject = 'user' and subject_id = ${person_id} and workspace_id = any(${[...workspace_ids]}::uuid[]) and id > ${after}
    order by id limit ${limit}`);

export const deleteAboutPerson = (db: Db, workspace_ids: readonly string[], person_id: string) =>
  db.run(sql`
    delete from memories
    where subject = 'user' and subject_id = ${person_id} and workspace_id = any(${[...workspace_ids]}::uuid[])`);
