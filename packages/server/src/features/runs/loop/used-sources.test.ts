import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTime } from '../../../../test/support/cpu-time.ts';
import { stripMarkdown } from '../../../lib/text/strip-markdown.ts';
import { passageOf, plainSource, type RetrievedSource, usedSources } from './used-sources.ts';

const found = (id: string, passage: string, title = id, url: string | null = null): RetrievedSource => ({
  id,
  passage,
  source: { url, title, quote: passage },
});
const refunds = found('refunds', 'Refunds are paid within 30 days of purchase, with the receipt.', 'Refund policy');
const hours = found('hours', 'The shop is open from Monday to Friday, nine to five.', 'Opening hours');
const cards = found(
  'cards',
  'Refunds for gift cards are decided by the manager.',
  'Gift cards',
  'https://a.example/cards',
);
const all = [refunds, hours, cards];
const used = (answer: string, question = 'How do refunds work?') =>
  usedSources(answer, question, all).map(({ id }) => id);

test('counts the sources whose passages the answer rests on, and no others', () => {
  assert.deepEqual(used('You get your money back within 30 days of the purchase if you have the receipt.'), [
    'refunds',
  ]);
  assert.deepEqual(used('We are open Monday to Friday from nine to five.', 'When are you open?'), ['hours']);
  assert.deepEqual(used('30 days.'), ['refunds']);
  assert.deepEqual(used('Within 30 days with the receipt. Gift cards are decided by the manager.'), [
    'refunds',
    'cards',
  ]);
});

test('counts none when the answer uses none', () => {
  for (const answer of ['I found nothing about this.', 'Sorry, I do not know.', 'Herons are birds that eat fish.', ''])
    assert.deepEqual(used(answer), [], answer);
  assert.deepEqual(used('I can not tell you how refunds work.'), []);
});

test('takes the citations of the answer at their word', () => {
  assert.deepEqual(used('You have some time [1].'), ['refunds']);
  assert.deepEqual(used('You have some time [1, 3] and 【2】.'), ['refunds', 'hours', 'cards']);
  assert.deepEqual(used('It depends, see [the page](https://a.example/cards).'), ['cards']);
  assert.deepEqual(used('It depends (Opening hours).'), ['hours']);
  assert.deepEqual(used('It depends. Source: Refund policy'), ['refunds']);
  assert.deepEqual(used('Within 30 days of purchase, with the receipt [2].'), ['hours'], 'only those');
  assert.deepEqual(used('It is number [7].'), []);
});

test('takes no link inside a quote, and no part of another title, for a citation', () => {
  const people = found('people', 'Members have a role ([keys](keys.md)).', 'people.md');
  const keys = found('keys', 'A key has permissions and a role.', 'keys.md');
  const access = found('access', 'Doors are opened with a badge.', 'access keys.md');
  const ids = (answer: string) => usedSources(answer, 'Which roles?', [keys, people, access]).map(({ id }) => id);
  assert.deepEqual(ids('This is what I found:\n\n- “Members have a role ([keys](keys.md)).” [people.md]'), ['people']);
  assert.deepEqual(ids('- “Doors are opened with a badge.” [access keys.md]'), ['access']);
});

test('counts the passages of a cited document that the answer rests on', () => {
  const other = found('other', 'Shoes have to be returned in their box.', 'Refund policy');
  const ids = usedSources('Within 30 days with the receipt (Refund policy).', 'Refunds?', [other, refunds]);
  assert.deepEqual(
    ids.map(({ id }) => id),
    ['refunds'],
  );
});

test('finds the passage that a quote is from in the output of a tool', () => {
  const output = {
    results: [
      { quote: 'b c', content: 'a b c d' },
      { quote: 'x', content: 'x y' },
    ],
  };
  assert.equal(passageOf(output, { url: null, title: 't', quote: 'b c' }), 'a b c d');
  assert.equal(passageOf({ text: 'all of it' }, { url: null, title: 't', quote: null }), 'all of it');
  assert.equal(passageOf('', { url: null, title: 't', quote: null }), 't');
});

test('shows titles and quotes without the marks of Markdown', () => {
  const marked = { url: null, title: '## **Refund** policy', quote: '- See [the page](https://a.example) for `code`' };
  assert.deepEqual(plainSource(marked), { url: null, title: 'Refund policy', quote: 'See the page for code' });
  for (const [text, plain] of [
    ['_Hello_ *there* __all__', 'Hello there all'],
    ['a_b_c 2*3*4', 'a_b_c 2*3*4'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a · b\n\n1 · 2'],
    ['![a cat](cat.png) > no quote', 'a cat > no quote'],
    ['> quoted\n> twice', 'quoted\ntwice'],
    ['5 \\* 3', '5 * 3'],
  ] as const)
    assert.equal(stripMarkdown(text), plain);
});

test('reads long and hostile texts in reasonable time', () => {
  const started = cpuTime();
  for (const sign of ['*', '_', '[', '(', '`', '|', '#', '> ', '**a', '[a](', '![', '\\', '【1', '[1,', 'a ']) {
    const text = sign.repeat(20_000 / sign.length);
    stripMarkdown(text);
    usedSources(text, text, [found('x', text)]);
  }
  assert.ok(cpuTime() - started < 8_000);
});
