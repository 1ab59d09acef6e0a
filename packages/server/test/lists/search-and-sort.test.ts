import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summaryFieldsOf } from '@atrium/contract/page.ts';
import * as z from 'zod';
import { newId } from '../../src/lib/ids.ts';
import type { Route } from '../../src/lib/route.ts';
import { testApp } from '../support/test-app.ts';
import { makePlace } from '../walk/walk-fixtures.ts';
import { listExceptions } from './list-exceptions.ts';
import { hasEntry, pathOf } from './list-routes.ts';

const testing = await testApp({ web_allow: ['127.0.0.1'] });
const place = await makePlace(testing);
const lists = testing.app.routes.filter(({ answer }) => summaryFieldsOf(answer));
const checked = lists.filter(({ id }) => !(id in listExceptions));

const parametersOf = ({ query }: Route) => new Set(query instanceof z.ZodObject ? Object.keys(query.shape) : []);
const sortsOf = ({ query }: Route) => {
  const schema = z.toJSONSchema(query as z.ZodType, { io: 'input', unrepresentable: 'any' });
  const sort = (schema.properties as Record<string, { enum?: string[] }>)['sort'];
  return (sort?.enum ?? []).filter((name) => !name.startsWith('-'));
};

// Entries that no record of the walk brings.
const [conversation_id, run_id] = [await place.record('conversation'), await place.record('run')];
const workflow_id = await place.record('workflow');
await place.make('POST', `/v1/workflows/${workflow_id}/triggers`, { definition: { type: 'webhook' } });
await testing.query(
  `with rated as (
     insert into feedback (workspace_id, conversation_id, id, actor_kind, actor_id, rating)
     select $1, $2, $5, 'api_key', $5, 'up')
   insert into safety_violations (workspace_id, conversation_id, id, run_id, stage, category, severity, reason, action)
   select $1, $2, $3, $4, 'input', 'harm', 'severe', 'walk', 'block'`,
  [place.workspace_id, conversation_id, newId(), run_id, newId()],
);

/** Tables of the platform have no times. */
const besides: Readonly<Record<string, Record<string, string>>> = { 'tables.list': { source: 'custom' } };

async function idsOf(path: string, query: Record<string, string>) {
  const url = `${path}?${new URLSearchParams({ size: '100', view: 'summary', ...query })}`;
  const { status, json, text } = await testing.call('GET', url, undefined, { key: place.system_key });
  assert.equal(status, 200, `${url}: ${text}`);
  return json.items.map((item: { id: string }) => item.id) as string[];
}

test('every exception is a list', () => {
  const known = new Set(lists.map(({ id }) => id));
  assert.deepEqual(
    Object.keys(listExceptions).filter((id) => !known.has(id)),
    [],
  );
});

test('every list has search, sort and filters by time for the fields of its entries', () => {
  for (const route of checked) {
    const fields = summaryFieldsOf(route.answer) ?? [];
    const named = ['name', 'filename', 'label', 'url'].some((field) => fields.includes(field));
    const wanted = [
      ...['created_after', 'created_before', 'sort'],
      ...(named ? ['search'] : []),
      ...(named && fields.some((field) => /updated_at$/.test(field)) ? ['updated_after'] : []),
    ];
    const parameters = parametersOf(route);
    const missing = wanted.filter((name) => !parameters.has(name));
    assert.deepEqual(missing, [], route.route);
  }
});

for (const route of checked) {
  const parameters = parametersOf(route);
  test(`${route.route} keeps to search and times, and sorts both ways`, async () => {
    const path = await pathOf(route, place);
    const also = besides[route.id] ?? {};
    const list = (query: Record<string, string>) => idsOf(path, { ...also, ...query });
    const all = (await list({})).toSorted();
    if (hasEntry(route)) assert.ok(all.length > 0, 'the list is empty');
    const [past, future] = ['2001-01-01T00:00:00Z', '2101-01-01T00:00:00Z'];
    assert.deepEqual((await list({ created_after: past, created_before: future })).toSorted(), all);
    assert.deepEqual(await list({ created_after: future }), []);
    assert.deepEqual(await list({ created_before: past }), []);
    if (parameters.has('updated_after')) {
      assert.deepEqual((await list({ updated_after: past })).toSorted(), all);
      assert.deepEqual(await list({ updated_after: future }), []);
    }
    if (parameters.has('search')) assert.deepEqual(await list({ search: '%no_such\\text%' }), []);
    for (const sort of sortsOf(route)) {
      const up = await list({ sort });
      assert.deepEqual(up.toSorted(), all, sort);
      assert.deepEqual(await list({ sort: `-${sort}` }), up.toReversed(), sort);
    }
    const { status } = await testing.call('GET', `${path}?sort=no_such_field`, undefined, { key: place.system_key });
    assert.equal(status, 422);
  });
}
