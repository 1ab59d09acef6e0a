import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeCursor } from '@atrium/contract/cursor.ts';
import * as z from 'zod';
import { newId } from '../../src/lib/ids.ts';
import { testApp } from '../support/test-app.ts';
import { makePlace } from '../walk/walk-fixtures.ts';
import { pathOf } from './list-routes.ts';

const testing = await testApp({ web_allow: ['127.0.0.1'] });
const { call, query, workspace } = testing;
const place = await makePlace(testing);

const shapeOf = (schema: unknown) => (schema instanceof z.ZodObject ? schema.shape : {});
const lists = testing.app.routes.filter(({ answer }) => 'next' in shapeOf(answer));
const sortsOf = (schema: unknown): (string | undefined)[] => {
  const { properties } = z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' });
  return [undefined, ...((properties as Record<string, { enum?: string[] }>)['sort']?.enum ?? [])];
};

test('every list with pages takes a cursor', () => {
  assert.ok(lists.length > 40, `${lists.length} lists`);
  for (const { id, query: asked } of lists) assert.ok('after' in shapeOf(asked), id);
});

for (const route of lists)
  test(`${route.route} goes on after a position in each of its orders, and refuses a foreign cursor`, async () => {
    const path = await pathOf(route, place);
    const ask = async (after: string, sort?: string) => {
      const search = new URLSearchParams({ after, ...(sort && { sort }) });
      return (await call('GET', `${path}?${search}`, undefined, { key: place.system_key })).status;
    };
    // Notifications are for people who have signed in.
    if (route.id === 'notifications.list') return;
    for (const sort of sortsOf(route.query)) {
      // Its order has a name that is filled in.
      if (route.id === 'runs.list' && sort === undefined) continue;
      const cursor = (key: string | null, id: string) =>
        encodeCursor({ ...(sort && { sort }), page: 2, total: 1, after: { key, id } });
      const isNumbered = ['knowledgeBases.listChunks', 'sites.listPages'].includes(route.id);
      assert.equal(await ask(cursor(null, isNumbered ? '1' : newId()), sort), 200, sort);
      assert.ok([200, 422].includes(await ask(cursor('2026-01-01', 'x\0'), sort)), sort);
    }
    for (const after of [
      'no cursor',
      btoa('{}'),
      encodeCursor({ sort: 'another', page: 2, total: 1, after: { offset: 0 } }),
    ])
      assert.equal(await ask(after), 422);
  });

const { id: workspace_id, key } = await workspace();
const rows = 23;
// Times with microseconds that are equal in their milliseconds, names that are equal or missing.
await query(
  `insert into conversations (workspace_id, id, name, message_count, etag_ms, created_at, last_updated_at)
   select $1, gen_random_uuid(), case when n % 3 > 0 then 'Name ' || n % 4 end, 1, 1, now() + n % 7 * interval '1 microsecond',
     now() + n % 5 * interval '1 microsecond' from generate_series(1, ${rows}) n`,
  [workspace_id],
);

async function pagesOf(search: string) {
  const pages = [];
  for (let after: string | null = ''; after !== null && pages.length < rows; ) {
    const path: string = `/v1/conversations?${search}${after && `&after=${after}`}`;
    const { status, json, text } = await call('GET', path, undefined, { key });
    assert.equal(status, 200, text);
    pages.push(json);
    after = json.next;
  }
  return pages;
}
const idsOf = (pages: { items: { id: string }[] }[]) => pages.flatMap(({ items }) => items.map(({ id }) => id));

for (const sort of ['', ...['name', 'created_at', 'last_updated_at'].flatMap((by) => [by, `-${by}`])])
  test(`pages by cursor are the whole list${sort && ` when it is sorted by ${sort}`}`, async () => {
    const order = sort && `&sort=${sort}`;
    const [whole] = await pagesOf(`size=100${order}`);
    assert.deepEqual([whole.items.length, whole.next], [rows, null]);
    for (const size of [1, 4, 22]) {
      const pages = await pagesOf(`size=${size}${order}&view=summary`);
      assert.deepEqual(idsOf(pages), idsOf([whole]), `size ${size}`);
      assert.deepEqual(
        pages.map(({ page, total, pages: all }) => [page, total, all]),
        pages.map((_, index) => [index + 1, rows, pages.length]),
      );
    }
  });

test('an entry that is added or deleted between pages shifts none of the others', async () => {
  const [whole] = await pagesOf('size=100&sort=created_at');
  const ids = idsOf([whole]);
  const first = (await call('GET', '/v1/conversations?size=5&sort=created_at', undefined, { key })).json;
  await query('delete from conversations where id = any($1)', [[ids[0], ids[4]]]);
  const { json } = await call('GET', `/v1/conversations?size=5&sort=created_at&after=${first.next}`, undefined, {
    key,
  });
  assert.deepEqual(idsOf([json]), ids.slice(5, 10));
});

test('a cursor of another workspace leads to no entry of it', async () => {
  const other = await workspace();
  const { next } = (await call('GET', '/v1/conversations?size=5', undefined, { key })).json;
  const { json } = await call('GET', `/v1/conversations?size=5&after=${next}`, undefined, { key: other.key });
  assert.deepEqual(json.items, []);
});
