import type {
  FeedbackEntry,
  Feedback as NamedFeedback,
  WorkspaceFeedbackQuery,
} from '@atrium/contract/feedback/schema.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageQuery, PageWindow } from '@atrium/contract/page.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { nothing, sql } from '../../db/sql.ts';
import { storedTextOrNull } from '../../db/stored-text/stored-text.ts';

const columns = sql`id, workspace_id as group_id, conversation_id, message_id, rating, score, comment, actor_kind,
  actor_id, created_at, updated_at`;

/** Feedback as stored: names are read where they are kept. */
export type Feedback = Omit<NamedFeedback, 'given_by'> & { given_by: Omit<NamedFeedback['given_by'], 'name'> };

type FeedbackRow = Omit<Feedback, 'given_by'> & { actor_kind: Feedback['given_by']['kind']; actor_id: string };

const fromRow = ({ actor_kind, actor_id, created_at, updated_at, ...row }: FeedbackRow): Feedback => ({
  ...row,
  given_by: { kind: actor_kind, id: actor_id },
  created_at,
  updated_at,
});

export interface FeedbackKey {
  conversation_id: string;
  message_id: string | null;
  actor_id: string;
}

export type NewFeedback = FeedbackKey & Pick<Feedback, 'id' | 'rating' | 'score' | 'comment'> & { actor_kind: string };

const ofActor = (workspace_id: string, { conversation_id, message_id, actor_id }: FeedbackKey) => sql`
  workspace_id = ${workspace_id} and conversation_id = ${conversation_id}
    and message_id is not distinct from ${message_id} and actor_id = ${actor_id}`;

/** Bound to the key, since a second feedback keeps the id of the first. */
const storedComment = (workspace_id: string, { conversation_id, message_id, actor_id, comment }: NewFeedback) =>
  storedTextOrNull('feedback.comment', workspace_id, [conversation_id, message_id, actor_id], comment);

/** Each actor has one feedback per subject: the second replaces the first. */
export const putFeedback = async (db: Db, workspace_id: string, given: NewFeedback) =>
  fromRow(
    await db.one<FeedbackRow>(sql`
    insert into feedback (workspace_id, conversation_id, id, message_id, actor_kind, actor_id, rating, score, comment)
    values (${workspace_id}, ${given.conversation_id}, ${given.id}, ${given.message_id}, ${given.actor_kind},
      ${given.actor_id}, ${given.rating}, ${given.score}, ${storedComment(workspace_id, given)})
    on conflict (workspace_id, conversation_id, message_id, actor_id) do update
      set rating = excluded.rating, score = excluded.score, comment = excluded.comment, updated_at = now()
    returning ${columns}`),
  );

/** Selects the ids of conversations with feedback of this rating. */
export const ratedConversations = (workspace_id: string, rating: 'up' | 'down') =>
  sql`select conversation_id from feedback where workspace_id = ${workspace_id} and rating = ${rating}`;

export const deleteFeedback = (db: Db, workspace_id: string, key: FeedbackKey) =>
  db.row<{ id: string }>(sql`delete from feedback where ${ofActor(workspace_id, key)} returning id`);

const listColumns: ListColumns = { id: sql`id`, created_at: sql`created_at`, ids_rise: true };

export async function listFeedback(
  db: Db,
  workspace_id: string,
  conversation_id: string,
  filter: ListFilter,
  window: PageWindow,
) {
  const where = sql`workspace_id = ${workspace_id} and conversation_id = ${conversation_id}
    ${listConditions(listColumns, filter)}`;
  const page = { columns, from: sql`feedback`, where, list: listColumns, window };
  const { rows, ...rest } = await readPage<FeedbackRow>(db, page);
  return { ...rest, rows: rows.map(fromRow) };
}

/** Filters of a workspace's feedback; `person_id`: only feedback about this person's conversations. */
export type FeedbackFilter = Omit<WorkspaceFeedbackQuery, keyof PageQuery> & { person_id: string | undefined };

export async function listWorkspaceFeedback(db: Db, workspace_id: string, filter: FeedbackFilter, window: PageWindow) {
  const { assistant_id, conversation_id, person_id, rating, score, commented } = filter;
  const where = sql`workspace_id = ${workspace_id}
    ${assistant_id === undefined ? nothing : sql`and assistant_id = ${assistant_id}`}
    ${conversation_id === undefined ? nothing : sql`and conversation_id = ${conversation_id}`}
    ${person_id === undefined ? nothing : sql`and person_id = ${person_id}`}
    ${rating === undefined ? nothing : sql`and rating = ${rating}`}
    ${score === undefined ? nothing : sql`and score = ${score}`}
    ${commented === undefined ? nothing : commented ? sql`and comment is not null` : sql`and comment is null`}
    ${listConditions(listColumns, filter)}`;
  const { rows, ...rest } = await readPage<FeedbackRow & Pick<FeedbackEntry, 'assistant_id'>>(db, {
    ...{ columns: sql`${columns}, assistant_id`, from: sql`feedback`, where, list: listColumns, window },
  });
  return { ...rest, rows: rows.map((row) => ({ ...fromRow(row), assistant_id: row.assistant_id })) };
}

export const listFeedbackOf = async (
  db: Db,
  workspace_ids: readonly string[],
  actor_ids: readonly string[],
  after: string,
  limit: number,
) =>
  (
    await db.rows<FeedbackRow>(sql`
      select ${columns} from feedback
      where actor_id = any(${[...actor_ids]}::uuid[]) and workspace_id = any(${[...workspace_ids]}::uuid[]) and id > ${after}
      order by id limit ${limit}`)
  ).map(fromRow);

export const deleteFeedbackOf = (db: Db, workspace_ids: readonly string[], actor_ids: readonly string[]) =>
  db.run(sql`
    delete from feedback
    where actor_id = any(${[...actor_ids]}::uuid[]) and workspace_id = any(${[...workspace_ids]}::uuid[])`);
