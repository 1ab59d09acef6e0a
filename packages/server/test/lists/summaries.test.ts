import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summaryFieldsOf } from '@atrium/contract/page.ts';
import * as z from 'zod';
import { summaryText } from '../../src/http/summarize-answer.ts';
import { testApp } from '../support/test-app.ts';
import { makePlace } from '../walk/walk-fixtures.ts';
import { hasEntry, pathOf } from './list-routes.ts';

const testing = await testApp({ web_allow: ['127.0.0.1'] });
const place = await makePlace(testing);
const { routes } = testing.app;

const isList = (answer: z.ZodType) =>
  answer instanceof z.ZodObject && answer.shape['items'] instanceof z.ZodArray && 'pages' in answer.shape;
const lists = routes.filter(({ answer }) => summaryFieldsOf(answer));

test('every list with pages has summaries', () => {
  const without = routes.filter(({ answer }) => isList(answer) && !summaryFieldsOf(answer));
  assert.deepEqual(
    without.map(({ id }) => id),
    [],
  );
  assert.ok(lists.length > 40);
});

/** The largest value that a field of a summary can have. */
function largest(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return largest(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodGUID) return '00000000-0000-4000-8000-000000000000';
  if (schema instanceof z.ZodISODateTime) return '2026-01-01T00:00:00.000Z';
  if (schema instanceof z.ZodEnum)
    return schema.options.map(String).reduce((longest, one) => (one.length > longest.length ? one : longest), '');
  if (schema instanceof z.ZodNumber)
    return [0.1234567890123456, Number.MAX_SAFE_INTEGER, 100, 5, 1].find((number) => schema.safeParse(number).success);
  if (schema instanceof z.ZodBoolean) return false;
  if (schema instanceof z.ZodString) return '"字'.repeat(1000);
  if (schema instanceof z.ZodArray) return Array(20).fill(largest(schema.element as z.ZodType));
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(Object.entries(schema.shape).map(([key, inner]) => [key, largest(inner as z.ZodType)]));
  throw new Error(`a summary has a field of the type ${schema.def.type}, which can be of any size`);
}

const summariesOf = (answer: z.ZodType): z.ZodObject[] => {
  const items = answer instanceof z.ZodArray ? answer : ((answer as z.ZodObject).shape['items'] as z.ZodArray);
  const objectsIn = (schema: unknown): z.ZodObject[] =>
    schema instanceof z.ZodUnion ? schema.options.flatMap(objectsIn) : [schema as z.ZodObject];
  return objectsIn((items.element as z.ZodUnion).options[1]);
};

test('a summary of any list stays under 600 bytes when every text is long', () => {
  for (const { id, answer } of lists)
    for (const summary of summariesOf(answer)) {
      const text = summaryText(largest(summary) as object, summaryFieldsOf(answer) ?? []);
      assert.ok(Buffer.byteLength(text) < 600, `${id}: ${Buffer.byteLength(text)} bytes: ${text}`);
      const parsed = summary.safeParse(JSON.parse(text));
      assert.ok(parsed.success, `${id}: ${parsed.error?.message}`);
    }
});

// Lists of a signed-in person are refused to keys; features/notifications tries its own.
for (const route of lists.filter(({ permission }) => permission !== 'session'))
  test(`${route.route} answers summaries when asked for them, and whole items otherwise`, async () => {
    const path = await pathOf(route, place);
    const as = { key: place.system_key };
    const [whole, summary] = [
      await testing.call('GET', path, undefined, as),
      await testing.call('GET', `${path}?view=summary`, undefined, as),
    ];
    assert.deepEqual([whole.status, summary.status], [200, 200], summary.text);
    const itemsOf = (json: { items?: object[] } | object[]) => (Array.isArray(json) ? json : (json.items ?? []));
    const items = itemsOf(summary.json);
    assert.equal(items.length, itemsOf(whole.json).length);
    if (hasEntry(route)) assert.ok(items.length > 0, 'the list is empty');
    const fields = new Set(summaryFieldsOf(route.answer));
    for (const item of items) {
      assert.ok(Buffer.byteLength(JSON.stringify(item)) < 600, JSON.stringify(item));
      assert.deepEqual(
        Object.keys(item).filter((key) => !fields.has(key)),
        [],
      );
    }
    if (!Array.isArray(whole.json)) assert.equal(summary.json.total, whole.json.total);
    assert.equal((await testing.call('GET', `${path}?view=other`, undefined, as)).status, 422);
  });
