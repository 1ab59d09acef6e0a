import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runNode } from '../testing.ts';
import { addToDate, dateNode } from './data/date.ts';
import { fileIdOf } from './data/file-input.ts';
import { filterNode, jsonTransformNode } from './data/json-transform.ts';
import { variableNode } from './data/variable.ts';
import { NodeFailure } from './node-failure.ts';
import { textSplitterNode } from './text/text-splitter.ts';

test('splits a text into pieces of at most the given length without losing anything', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.lorem({ maxCount: 8 }), { maxLength: 40 }), async (sentences) => {
      const input = sentences.join('. ');
      const { output } = await runNode(textSplitterNode, { input }, { chunk_size: 60 });
      const pieces = output as string[];
      assert.ok(pieces.every((piece) => piece.length <= 60));
      assert.equal(pieces.join('').replace(/\s/g, ''), input.replace(/\s/g, ''));
    }),
    { numRuns: 50 },
  );
  await assert.rejects(runNode(textSplitterNode, { input: 'a' }, { chunk_size: 20, overlap: 20 }), NodeFailure);
});

test('transforms data by an expression over a value and keys', async () => {
  const value = { orders: [{ total: 3 }, { total: 5 }] };
  const config = { expression: '{"sum": sum(map(value.orders, item.total)), "who": Name}' };
  const { output } = await runNode(jsonTransformNode, { value, variables: { Name: 'Ada' } }, config);
  assert.deepEqual(output, { sum: 8, who: 'Ada' });
});

test('splits a list in two by an expression', async () => {
  const list = [{ n: 1 }, { n: 5 }, { n: 9 }];
  const config = { expression: 'item.n > least and index < 2' };
  const found = await runNode(filterNode, { list, variables: { least: 2 } }, config);
  assert.deepEqual(found, { kept: [{ n: 5 }], dropped: [{ n: 1 }, { n: 9 }] });
});

test('adds to dates, compares and formats them', async () => {
  const date = '2027-01-31T10:00:00Z';
  const at = async (config: Record<string, unknown>, until?: string) =>
    (await runNode(dateNode, { date, ...(until && { until }) }, config)).output;
  assert.equal(await at({ amount: 1, unit: 'months' }), '2027-02-28T10:00:00.000Z');
  assert.equal(await at({ amount: -1, unit: 'years' }), '2026-01-31T10:00:00.000Z');
  assert.equal(await at({ operation: 'difference', unit: 'days' }, '2027-02-01T22:00:00Z'), 1.5);
  assert.equal(await at({ operation: 'difference', unit: 'months' }, '2027-04-30T09:00:00Z'), 2);
  const config = { operation: 'format', time_zone: 'Europe/Paris', style: 'long', language: 'en' };
  assert.equal(String(await at(config)).replace('\u202f', ' '), 'January 31, 2027 at 11:00 AM');
  await assert.rejects(at({ ...config, time_zone: 'Moon/Sea' }), /no time zone/);
  await assert.rejects(runNode(dateNode, { date: 'soon' }, {}), /no date/);
  const before = Date.now();
  const { output } = await runNode(dateNode, {}, {});
  assert.ok(Date.parse(String(output)) >= before);
});

test('adding and subtracting the same months never ends after the first day', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
      fc.nat(200),
      (date, months) => {
        const there = addToDate(date, months, 'months');
        assert.ok(addToDate(there, -months, 'months') <= date);
        assert.equal(
          (there.getUTCFullYear() - date.getUTCFullYear()) * 12 + there.getUTCMonth() - date.getUTCMonth(),
          months,
        );
      },
    ),
  );
});

test('returns a variable by its name, but not a secret', async () => {
  const variables = { city: 'Paris' };
  assert.deepEqual(await runNode(variableNode, {}, { name: 'city' }, { variables }), { output: 'Paris' });
  await assert.rejects(runNode(variableNode, {}, { name: 'secret.KEY' }, { variables }), /no variable/);
});

test('accepts the id of a stored file in all its forms and nothing else', () => {
  const id = '0190a000-0000-7000-8000-00000000000a';
  for (const value of [id, `store://${id}`, { uri: `store://${id.toUpperCase()}`, name: 'x' }])
    assert.equal(fileIdOf(value), id);
  for (const value of [null, 5, {}, 'http://example.org/x', `store://${id}/..`, { uri: 5 }])
    assert.throws(() => fileIdOf(value), NodeFailure);
});
