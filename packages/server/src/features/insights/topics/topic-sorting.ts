import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { required } from '../../../lib/required.ts';
import { assignTopics, settledTopicSize } from './assign-topics.ts';
import { type TermsOf, type Words, wordsOf } from './extract-terms.ts';
import { type Frequencies, likeness, noteTerms, sumOf, unit, weightsOf } from './term-vectors.ts';
import { type Labels, labelsOf } from './topic-labels.ts';
import * as store from './topic-store.ts';

export interface TopicSorting {
  /** Sorts conversations of an agent under topics. Those that were sorted before stay where they are. */
  sort(agent: store.AgentRef, conversations: readonly Sortable[]): Promise<void>;
  /** The labels of an agent's topics, the largest topic first. */
  labels(agent: store.AgentRef): Promise<Labels[]>;
  top(agent: store.AgentRef, query: store.TopTopicsQuery): Promise<{ label: string; count: number }[]>;
}

/** A conversation that is over, as it is sorted. */
export interface Sortable {
  conversation_id: string;
  /** Of its last message, as a date. */
  day: string;
  /** The texts of its messages, without private values. */
  text: string;
  /** The topics that a language model named; empty when none was asked. */
  named: readonly Labels[];
}

/** The most conversations whose words make a topic's name. */
const max_members = 60;
const max_tries = 4;

export function makeTopicSorting(deps: {
  db: Database;
  termsOf: TermsOf;
  /** Finds where private values are in a text. */
  findPrivate(text: string): Promise<readonly { start: number; end: number }[]>;
}): TopicSorting {
  const { db, termsOf, findPrivate } = deps;

  /** Finds a name without private values: words that look private are left out, and the rest is tried again. */
  async function nameOf(members: readonly Words[], frequencies: Frequencies, taken: ReadonlySet<string>) {
    const without = new Set<string>();
    for (let tries = 0; tries < max_tries; tries++) {
      const labels = labelsOf(members, frequencies, { taken, without });
      if (!labels) return undefined;
      const spans = await findPrivate(labels.long);
      if (spans.length === 0) return labels;
      for (const { start, end } of spans)
        for (const word of labels.long
          .slice(start, end)
          .toLowerCase()
          .match(/[\p{L}\p{M}]+/gu) ?? [])
          without.add(word);
    }
    return undefined;
  }

  /** Topics by what their conversations have in common. */
  async function byWords(tx: Db, agent: store.AgentRef, sortable: readonly (Sortable & { words: Words })[]) {
    const [known, frequencies] = [await store.topicsOf(tx, agent), await store.frequenciesOf(tx, agent)];
    const rows = new Map(known.map((topic) => [topic.id, topic]));
    const bySortable = new Map(sortable.map((one) => [one.conversation_id, one]));
    const fresh = sortable.map(({ conversation_id: id, words }) => ({ id, weights: weightsOf(words) }));
    const sorted = assignTopics(known, fresh, frequencies, () => newId());
    const changed = sorted.filter(({ joined, swallowed }) => joined.length > 0 || swallowed.length > 0);
    const taken = new Set(known.filter(({ named }) => named).map(({ short }) => short));
    for (const topic of changed) {
      const row = rows.get(topic.id);
      const under = topic.joined.map((id) => required(bySortable.get(id)));
      let labels: Labels | undefined = row;
      if (!row?.named) {
        const before = await Promise.all(
          [topic.id, ...topic.swallowed].map((id) => store.wordsUnder(tx, agent, id, max_members)),
        );
        const members = [...before.flat(), ...under.map(({ words }) => words)].slice(0, max_members);
        labels = (await nameOf(members, frequencies, taken)) ?? row;
      }
      const { short, medium, long } = labels ?? {
        short: 'Other',
        medium: 'Other',
        long: 'Conversations about other things.',
      };
      taken.add(short);
      const { id, size, weights } = topic;
      await store.putTopic(tx, agent, { id, short, medium, long, named: size >= settledTopicSize, size, weights });
      for (const gone of topic.swallowed) await store.moveTopic(tx, agent, gone, id);
      const placed = under.map(({ conversation_id, day, words }) => ({ conversation_id, topic_id: id, day, words }));
      await store.assignConversations(tx, agent, placed);
    }
    await store.keepFrequencies(tx, agent, frequencies);
  }

  /** A topic that a model named: the one that is called so, or nearly so, else a new one. */
  async function byName(tx: Db, agent: store.AgentRef, { named, words, ...one }: Sortable & { words: Words }) {
    const frequencies = await store.frequenciesOf(tx, agent);
    const weights = weightsOf(words);
    noteTerms(frequencies, weights);
    const known = await store.topicsOf(tx, agent);
    const joined = new Set<string>();
    for (const labels of named) {
      const vectorOf = ({ short, medium }: Labels) =>
        unit(weightsOf(wordsOf(`${short}. ${medium}`, termsOf)), frequencies);
      const own = vectorOf(labels);
      const same = known.find(({ short }) => short.toLowerCase() === labels.short.toLowerCase());
      const [near] = known
        .map((topic) => ({ topic, value: likeness(own, vectorOf(topic)) }))
        .filter(({ value }) => value > 0.75)
        .toSorted((a, b) => b.value - a.value);
      const found = same ?? near?.topic;
      // The model named the same topic twice, in other words.
      if (found && joined.has(found.id)) continue;
      const topic: store.TopicRow = found
        ? { ...found, size: found.size + 1, weights: sumOf(found.weights, weights) }
        : { ...labels, id: newId(), named: true, size: 1, weights };
      if (!found) known.push(topic);
      joined.add(topic.id);
      await store.putTopic(tx, agent, topic);
      const placed = { conversation_id: one.conversation_id, topic_id: topic.id, day: one.day, words };
      await store.assignConversations(tx, agent, [placed]);
    }
    await store.keepFrequencies(tx, agent, frequencies);
  }

  return {
    async sort(agent, conversations) {
      await db.transaction(undefined, async (tx) => {
        await store.lockTopics(tx, agent);
        const unsorted: (Sortable & { words: Words })[] = [];
        for (const one of conversations.toSorted((a, b) => (a.conversation_id < b.conversation_id ? -1 : 1))) {
          if (await store.moveConversationsToDay(tx, agent, one.conversation_id, one.day)) continue;
          const words = wordsOf(one.text, termsOf);
          if (one.named.length) await byName(tx, agent, { ...one, words });
          else if (Object.keys(words.words).length) unsorted.push({ ...one, words });
        }
        if (unsorted.length) await byWords(tx, agent, unsorted);
      });
    },

    labels: async (agent) => (await store.topicsOf(db, agent)).toSorted((a, b) => b.size - a.size),
    top: (agent, query) => store.topTopics(db, agent, query),
  };
}
