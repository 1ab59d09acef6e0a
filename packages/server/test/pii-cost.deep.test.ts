import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piiEntities } from '@atrium/contract/settings/keys/safety.ts';
import { makeNeuralTagger } from '../src/drivers/taggers/neural.ts';
import { makeFindPii } from '../src/features/pii/service.ts';
import { cpuTime } from './support/cpu-time.ts';
import { proseOf } from './support/prose.ts';

const length = 100_000;
const mostTimesProse = 2;
const rounds = 4;

/** A generator of numbers that are the same in every run. */
let state = 7;
const below = (limit: number) => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return (state >>> 8) % limit;
};
const alphabets: Record<string, string> = {
  a: 'abcdefghijklmnopqrstuvwxyz',
  A: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  0: '0123456789',
  '@': '@#$%&*()[]{}<>/|;:,.!?-+=~^_',
};

/** A text of 100 kB that repeats a unit; each `{x}` in it is another character of an alphabet every time. */
function textOf(unit: string): string {
  const pick = (_: string, name: string) => alphabets[name]?.charAt(below(alphabets[name].length)) ?? '';
  let text = '';
  while (text.length < length) text += unit.replace(/\{(.)\}/g, pick);
  return text.slice(0, length);
}

/** What each of these does: repeats without end, or is different everywhere. */
const repeated = [
  'a@',
  '1',
  '1 ',
  '.',
  'a',
  '[{(',
  'x@x.',
  'foo.de/)(',
  '030 1234567\n',
  '::',
  'http://',
  '\n',
  '"',
  'ä',
];
const random = [
  '{a}@',
  '{a}{@}',
  '{a}{a}{@}',
  '{a}{a}{a} ',
  '{A}{a}{a}{a} ',
  '{a}{a}{a}{a}{a} ',
  '{A}{a}{a}{@}',
  '{0} ',
  '{a}{a}.de/',
  '0{0}{0} {0}{0}{0}{0}{0}{0}{0}\n',
  '+{0}{0}{0}{0}{0}{0}{0}{0}{0}\n',
  '"{A}{a}{a}","{A}{a}{a}{a}"\n',
];

test('searches 100 kB of the worst text for personal data at no more than twice the cost of prose', async (t) => {
  const find = makeFindPii({ tagger: makeNeuralTagger() });
  const costOf = async (text: string) => {
    const before = cpuTime();
    await find(text, piiEntities);
    return cpuTime() - before;
  };
  // Another text each time, since the tagger remembers what it has read last.
  const sentences = proseOf(2 * length);
  let from = 0;
  const costOfProse = () => {
    from += 1000;
    return costOf(sentences.slice(from, from + length));
  };
  // Loads the model and the tables of numbers.
  await costOf(textOf('Mr {A}{a}{a}, +49 30 {0}{0}{0}{0}{0}{0}, {a}@{a}{a}.de ').slice(0, 10_000));
  let ordinary = Math.min(await costOfProse(), await costOfProse());
  for (const unit of [...repeated, ...random]) {
    let worst = await costOf(textOf(unit));
    // The least of several rounds of both: other load on the machine only adds to a cost.
    for (let round = 1; round < rounds && worst > mostTimesProse * ordinary; round++) {
      ordinary = Math.min(ordinary, await costOfProse());
      worst = Math.min(worst, await costOf(textOf(unit)));
    }
    const times = worst / ordinary;
    t.diagnostic(`${JSON.stringify(unit)}: ${times.toFixed(2)} times prose`);
    assert.ok(times <= mostTimesProse, `${JSON.stringify(unit)} costs ${times.toFixed(2)} times as much as prose`);
  }
});
