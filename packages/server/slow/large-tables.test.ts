// Alone on the machine: it measures how long readers wait.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tablesApp } from '../src/features/tables/testing.ts';

const { call, good, make, insert, rowsOf, ask } = await tablesApp();
const count = 100_000;

test('100,000 rows survive rename, type change and drop of another column; readers see old or new, never half', async (t) => {
  const { id, sql_name } = await make([{ name: 'qty', indexed: true }, { name: 'note' }, { name: 'other' }]);
  for (let first = 0; first < count; first += 10_000)
    await insert(
      id,
      Array.from({ length: 10_000 }, (_, n) => ({ qty: String(first + n), note: `note ${first + n}`, other: 'x' })),
    );
  let stop = false;
  let slowest = 0;
  const shapes = new Set<string>();
  const reader = async () => {
    while (!stop) {
      const started = performance.now();
      const { status, json, text } = await call('GET', `/v1/tables/${id}/rows?size=100`);
      slowest = Math.max(slowest, performance.now() - started);
      assert.equal(status, 200, text);
      const page = new Set(
        json.items.map((row: Record<string, unknown>) => `${Object.keys(row)} ${typeof (row['amount'] ?? row['qty'])}`),
      );
      assert.equal(page.size, 1, 'all rows of an answer have the same columns');
      shapes.add([...page][0] as string);
    }
  };
  const asker = async () => {
    while (!stop) {
      const { items } = good(await ask(`select count(*) as n, count(note) as notes from ${sql_name}`));
      assert.deepEqual(items, [{ n: count, notes: count }]);
    }
  };
  const work = Promise.all([reader(), reader(), asker()]);
  const column = `/v1/tables/${id}/columns`;
  good(await call('PATCH', `${column}/qty/rename`, { new_name: 'amount' }));
  good(await call('PATCH', `${column}/amount/type`, { new_type: 'integer' }));
  good(await call('DELETE', `${column}/other`));
  stop = true;
  await work;

  const states = [
    'id,qty,note,other string',
    'id,amount,note,other string',
    'id,amount,note,other number',
    'id,amount,note number',
  ];
  for (const shape of shapes) assert.ok(states.includes(shape), shape);
  t.diagnostic(`the slowest reader waited ${slowest.toFixed(0)} ms`);
  assert.ok(slowest < 5000, `a reader waited ${slowest.toFixed(0)} ms`);
  const { items } = good(
    await ask(
      `select count(*) as n, sum(amount) as sum, count(*) filter (where note = 'note ' || amount) as fitting from ${sql_name}`,
    ),
  );
  assert.deepEqual(items, [{ n: count, sum: (count * (count - 1)) / 2, fitting: count }]);
  const page = await rowsOf(id, { sort: '-amount', size: 1, total: true });
  assert.deepEqual([page.items[0].amount, page.total], [count - 1, count]);
  good(await call('POST', `${column}/other/restore`));
  assert.deepEqual(good(await ask(`select count(*) as n from ${sql_name} where other = 'x'`)).items, [{ n: count }]);
});

test('a text among 100,000 that is no number is found and nothing is changed', async () => {
  const { id } = await make([{ name: 'qty' }], { id_type: 'autoincrement' });
  for (let first = 0; first < count; first += 10_000)
    await insert(
      id,
      Array.from({ length: 10_000 }, (_, n) => ({ qty: first + n === 77_777 ? 'many' : String(n) })),
    );
  const { status, json } = await call('PATCH', `/v1/tables/${id}/columns/qty/type`, { new_type: 'integer' });
  assert.equal(status, 409);
  assert.match(json.detail, /^1 row has a value in qty that can not become integer \(77778: "many"\)/);
});
