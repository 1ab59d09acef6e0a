import type { Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { storedText } from '../../../db/stored-text/stored-text.ts';
import type { Words } from './extract-terms.ts';
import type { Frequencies, Weights } from './term-vectors.ts';
import type { Labels } from './topic-labels.ts';

/** Selects the ids of conversations about a topic. */
export const conversationsAbout = (workspace_id: string, topic_id: string) =>
  sql`select conversation_id from conversation_topics where workspace_id = ${workspace_id} and topic_id = ${topic_id}`;

/** The names of topics by their ids. */
export async function findTopicNames(db: Db, workspace_id: string, ids: readonly string[]) {
  const rows = await db.rows<{ id: string; short: string }>(sql`
    select id, short from topics where workspace_id = ${workspace_id} and id = any(${[...ids]}::uuid[])`);
  return new Map(rows.map(({ id, short }) => [id, short]));
}

export interface AgentRef {
  workspace_id: string;
  agent_id: string;
}

export interface TopicRow extends Labels {
  id: string;
  named: boolean;
  size: number;
  weights: Weights;
}

/** One at a time sorts the conversations of an agent: topics that two make at once could be the same. */
export const lockTopics = (tx: Db, { workspace_id, agent_id }: AgentRef) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`topics of ${workspace_id} ${agent_id}`}, 0))`);

const asMap = (object: Record<string, number>): Weights => new Map(Object.entries(object));
const asText = (weights: Weights) =>
  JSON.stringify(Object.fromEntries([...weights].map(([term, weight]) => [term, Math.round(weight * 1e4) / 1e4])));

export async function topicsOf(db: Db, { workspace_id, agent_id }: AgentRef): Promise<TopicRow[]> {
  const rows = await db.rows<Omit<TopicRow, 'weights'> & { weights: Record<string, number> }>(sql`
    select id, short, medium, long, named, size, weights from topics
    where workspace_id = ${workspace_id} and agent_id = ${agent_id} order by id`);
  return rows.map((row) => ({ ...row, weights: asMap(row.weights) }));
}

export async function frequenciesOf(db: Db, { workspace_id, agent_id }: AgentRef): Promise<Frequencies> {
  const row = await db.row<{ conversations: number; words: Record<string, number> }>(sql`
    select agent_id, conversations, words from topic_words where workspace_id = ${workspace_id} and agent_id = ${agent_id}`);
  return { conversations: row?.conversations ?? 0, terms: asMap(row?.words ?? {}) };
}

const mostWords = 20_000;

/** The rarest are forgotten when there are too many: a term without a count still counts as rare. */
export const keepFrequencies = (
  db: Db,
  { workspace_id, agent_id }: AgentRef,
  { conversations, terms }: Frequencies,
) => {
  const kept = terms.size > mostWords ? new Map([...terms].toSorted((a, b) => b[1] - a[1]).slice(0, mostWords)) : terms;
  return db.run(sql`
    insert into topic_words (workspace_id, agent_id, conversations, words)
    values (${workspace_id}, ${agent_id}, ${conversations},
      ${storedText('topic_words.words', workspace_id, agent_id, asText(kept))})
    on conflict (workspace_id, agent_id) do update
      set conversations = excluded.conversations, words = excluded.words`);
};

const storedLabel = (workspace_id: string, topic: TopicRow, length: keyof Labels) =>
  storedText(`topics.${length}`, workspace_id, topic.id, topic[length]);

export const putTopic = (db: Db, { workspace_id, agent_id }: AgentRef, topic: TopicRow) =>
  db.run(sql`
    insert into topics (workspace_id, id, agent_id, short, medium, long, named, size, weights)
    values (${workspace_id}, ${topic.id}, ${agent_id}, ${storedLabel(workspace_id, topic, 'short')},
      ${storedLabel(workspace_id, topic, 'medium')}, ${storedLabel(workspace_id, topic, 'long')}, ${topic.named}, ${topic.size},
      ${storedText('topics.weights', workspace_id, topic.id, asText(topic.weights))})
    on conflict (workspace_id, id) do update set short = excluded.short, medium = excluded.medium, long = excluded.long,
      named = excluded.named, size = excluded.size, weights = excluded.weights, updated_at = now()`);

/** Parts of a statement that add `n` conversations to topics on days, and to the weeks that these are in. */
const counting = ({ workspace_id, agent_id }: AgentRef, from: Sql) => sql`
  by_week as (
    insert into topic_weeks as known (workspace_id, agent_id, week, topic_id, n)
    select ${workspace_id}, ${agent_id}, date_trunc('week', day)::date, topic_id, sum(n) from ${from} group by 3, 4
    on conflict (workspace_id, agent_id, week, topic_id) do update set n = known.n + excluded.n),
  by_day as (
    insert into topic_days as known (workspace_id, agent_id, day, topic_id, n)
    select ${workspace_id}, ${agent_id}, day, topic_id, n from ${from}
    on conflict (workspace_id, agent_id, day, topic_id) do update set n = known.n + excluded.n)`;

/** Moves the conversations of one topic to another, and deletes it. */
export async function moveTopic(db: Db, { workspace_id, agent_id }: AgentRef, from: string, to: string) {
  await db.run(sql`
    update conversation_topics c set topic_id = ${to}
    where workspace_id = ${workspace_id} and topic_id = ${from} and not exists (
      select 1 from conversation_topics o where o.workspace_id = c.workspace_id
        and o.conversation_id = c.conversation_id and o.topic_id = ${to})`);
  // Conversations that are under both are left where they were, and are not counted twice.
  await db.run(sql`
    with moved as (
      select d.day, ${to}::uuid as topic_id, d.n - coalesce(twice.n, 0) as n from topic_days d
      left join (
        select day, count(*) as n from conversation_topics
        where workspace_id = ${workspace_id} and topic_id = ${from} group by day) as twice on twice.day = d.day
      where d.workspace_id = ${workspace_id} and d.agent_id = ${agent_id} and d.topic_id = ${from}),
    ${counting({ workspace_id, agent_id }, sql`moved`)}
    select 1`);
  await db.run(sql`delete from topics where workspace_id = ${workspace_id} and id = ${from}`);
}

export interface Placed {
  conversation_id: string;
  topic_id: string;
  day: string;
  words: Words;
}

const storedWords = (workspace_id: string, { conversation_id, words }: Placed) =>
  storedText('conversation_topics.words', workspace_id, conversation_id, JSON.stringify(words));

/** Conversations under their topics, and counted there on their day. One that is gone by now is left out. */
export const assignConversations = (db: Db, { workspace_id, agent_id }: AgentRef, placed: readonly Placed[]) =>
  db.run(sql`
    with given as (
      select own.conversation_id, own.topic_id, own.day, own.words::json as words
      from unnest(${placed.map(({ conversation_id }) => conversation_id)}::uuid[],
        ${placed.map(({ topic_id }) => topic_id)}::uuid[], ${placed.map(({ day }) => day)}::date[],
        ${placed.map((row) => storedWords(workspace_id, row))}::text[]) as own (conversation_id, topic_id, day, words)
      where exists (select 1 from conversations c where c.workspace_id = ${workspace_id} and c.id = own.conversation_id)),
    put as (
      insert into conversation_topics (workspace_id, conversation_id, topic_id, agent_id, day, words)
      select ${workspace_id}, conversation_id, topic_id, ${agent_id}, day, words from given
      on conflict do nothing returning topic_id, day),
    counted as (select day, topic_id, count(*) as n from put group by day, topic_id),
    ${counting({ workspace_id, agent_id }, sql`counted`)}
    select 1`);

/** Counts a conversation that has topics already on the day of its newest message. Returns whether it has any. */
export const moveConversationsToDay = async (
  db: Db,
  { workspace_id, agent_id }: AgentRef,
  conversation_id: string,
  day: string,
) =>
  (
    await db.row<{ found: boolean }>(sql`
    with before as (
      select topic_id, day from conversation_topics
      where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} for update),
    moved as (
      update conversation_topics set day = ${day}
      where workspace_id = ${workspace_id} and conversation_id = ${conversation_id}),
    counted as (
      select topic_id, unnest(array[day, ${day}::date]) as day, unnest(array[-1, 1]) as n from before
      where day <> ${day}::date),
    ${counting({ workspace_id, agent_id }, sql`counted`)}
    select exists (select 1 from before) as found`)
  )?.found ?? false;

export const wordsUnder = async (db: Db, { workspace_id }: AgentRef, topic_id: string, limit: number) =>
  (
    await db.rows<{ words: Words }>(sql`
      select conversation_id, words from conversation_topics where workspace_id = ${workspace_id} and topic_id = ${topic_id}
      order by conversation_id limit ${limit}`)
  ).map(({ words }) => words);

export interface TopTopicsQuery {
  days: number;
  limit: number;
  label_length: keyof Labels;
}

/** The most frequent topics. Topics with the same label, in the length asked for, are one entry. */
export async function topTopics(
  db: Db,
  { workspace_id, agent_id }: AgentRef,
  { days, limit, label_length }: TopTopicsQuery,
) {
  const label = { short: sql`t.short`, medium: sql`t.medium`, long: sql`t.long` }[label_length];
  const whose = sql`workspace_id = ${workspace_id} and agent_id = ${agent_id}`;
  const since = sql`current_date - ${days - 1}::int`;
  // The first whole week begins on a Monday; the days before it are read one by one.
  const monday = sql`(date_trunc('week', ${since} + 6)::date)`;
  const rows = await db.rows<{ label: string; count: number }>(sql`
    select t.id, ${label} as label, d.count::int as count
    from (select topic_id, sum(n) as count from (
            select topic_id, n from topic_weeks where ${whose} and week >= ${monday}
            union all
            select topic_id, n from topic_days where ${whose} and day >= ${since} and day < ${monday}) as counted
          group by topic_id having sum(n) > 0) d
    join topics t on t.workspace_id = ${workspace_id} and t.id = d.topic_id`);
  // Labels may be encrypted, so the database cannot compare them.
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row.label, (counts.get(row.label) ?? 0) + row.count);
  return [...counts]
    .map(([text, count]) => ({ label: text, count }))
    .sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1))
    .slice(0, limit);
}
