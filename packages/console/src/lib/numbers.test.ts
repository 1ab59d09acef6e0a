import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as say from './numbers.ts';

after(() => say.setLanguage('en'));
/** Other languages put spaces that do not break. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

test('writes costs with the digits that their size needs', () => {
  say.setLanguage('en');
  assert.deepEqual([0, 1234.5, 300, 0.4, 0.0412, 0.00234, 0.0000123, -0.5].map(say.sayCost), [
    ...['$0', '$1,234.50', '$300.00', '$0.40', '$0.041', '$0.0023', '$0.000012', '-$0.50'],
  ]);
});

test('writes bytes, durations, percents and scores in the unit that fits', () => {
  say.setLanguage('en');
  assert.deepEqual([0, 999, 1000, 1234, 82_400, 999_999, 1.25e6, 4e9, 2.5e12, 3e15].map(say.sayBytes), [
    ...['0 B', '999 B', '1 KB', '1.2 KB', '82 KB', '1,000 KB', '1.3 MB', '4 GB', '2.5 TB', '3,000 TB'],
  ]);
  const times = [0, 0.72, 60, 400, 9000, 61_000, 180_000, 5 * 3_600_000, 96 * 3_600_000];
  assert.deepEqual(times.map(say.sayDuration), [
    ...['0 ms', '0.7 ms', '60 ms', '0.4 s', '9.0 s', '61 s', '3 min', '5 h', '4 days'],
  ]);
  assert.deepEqual([0, 0.004, 0.455, 1].map(say.sayPercent), ['0%', '0%', '46%', '100%']);
  assert.deepEqual([say.sayChange(112, 100), say.sayChange(50, 100), say.sayChange(100, 100)], ['+12%', '−50%', '0%']);
  assert.deepEqual([8.4123, 0.03333, 1, 123.4].map(say.sayScore), ['8.41', '0.0333', '1', '123']);
  assert.deepEqual([say.sayDecimal(4.25, 1), say.sayDecimal(1, 2)], ['4.3', '1.00']);
});

test('writes figures as people of the chosen language do', () => {
  say.setLanguage('de');
  const figures = [say.sayNumber(12_300), say.sayCost(1234.5), say.sayPercent(0.45), say.sayBytes(1.2e6)];
  assert.deepEqual(figures.map(plain), ['12.300', '1.234,50 $', '45 %', '1,2 MB']);
  assert.equal(say.sayDuration(400), '0,4 s');
  say.setLanguage('en-IN');
  assert.equal(say.sayNumber(1_234_567), '12,34,567');
});

test('writes figures in English when the language is not known', () => {
  for (const language of ['xx', 'en-US@posix', '']) {
    say.setLanguage(language);
    assert.equal(say.sayNumber(12_300), '12,300', language);
  }
});
