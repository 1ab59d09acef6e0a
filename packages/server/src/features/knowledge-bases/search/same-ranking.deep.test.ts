import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowledgeApp } from '../testing.ts';

const kb = await knowledgeApp();

const subjects = [
  'tomato seedling compost greenhouse watering soil mulch pruning harvest'.split(' '),
  'violin orchestra symphony conductor rehearsal melody cello quartet stage'.split(' '),
  'harbour sailing anchor captain lighthouse compass mooring tide deck'.split(' '),
];

/** Texts whose words occur in many combinations, some of them equal but for their number. */
const texts = Object.fromEntries(
  Array.from({ length: 120 }, (_, at) => {
    const own = subjects.flatMap((words, subject) =>
      words.filter((_word, place) => (at * 7 + place * 5 + subject * 3) % 11 < (at % 3 === subject ? 6 : 1)),
    );
    return [`page${at}.txt`, `Page ${at} tells of ${own.join(' and ')}.`];
  }),
);

async function rankingOf(files: Record<string, string>): Promise<unknown[]> {
  const id = await kb.base({ auto_summary: false });
  await kb.fill(id, files);
  assert.equal((await kb.ready(id)).status, 'ready');
  const rankings: unknown[] = [];
  for (const query of ['violin melody', 'tomato harvest and compost', 'captain', 'soil on the deck of the stage']) {
    const hits = await kb.search(id, query, { explain: true });
    rankings.push(
      hits.map((hit) => [hit.document_source.name, hit.score, hit.explain.words, hit.explain.vector?.score]),
    );
  }
  return rankings;
}

test('ranks and scores the same in a knowledge base that was filled in another order', async () => {
  const first = await rankingOf(texts);
  const second = await rankingOf(Object.fromEntries(Object.entries(texts).reverse()));
  assert.ok(first.every((hits) => (hits as unknown[]).length > 5));
  assert.deepEqual(second, first);
});
