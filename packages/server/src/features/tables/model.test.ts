import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { tablesApp } from './testing.ts';

const { call, good, make, insert, rowsOf, ask } = await tablesApp();

const name = fc.constantFrom('a', 'b', 'c', 'd');
const operation = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    name,
    value: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('rename' as const), name, to: name }),
  fc.record({ kind: fc.constant('drop' as const), name }),
  fc.record({ kind: fc.constant('restore' as const), name }),
  fc.record({ kind: fc.constant('retype' as const), name, to: fc.constantFrom('text', 'integer', 'number', 'json') }),
  fc.record({ kind: fc.constant('insert' as const), name, value: fc.constantFrom('1', '7') }),
);
type Operation = typeof operation extends fc.Arbitrary<infer O> ? O : never;

interface Column {
  name: string;
  type: string;
  fallback: string | undefined;
  cells: (string | null)[];
}

/** The expected state of a table: its columns, the columns that can be restored, and its cells as text. */
function model() {
  const live: Column[] = [];
  const dropped: Column[] = [];
  let rows = 0;
  const at = (wanted: string) => live.find((column) => column.name === wanted);
  return {
    live,
    /** Does it and says whether it should have worked. */
    apply(operation: Operation): boolean {
      const column = at(operation.name);
      switch (operation.kind) {
        case 'add':
          if (column) return false;
          live.push({
            name: operation.name,
            type: 'text',
            fallback: operation.value,
            cells: Array(rows).fill(operation.value ?? null),
          });
          return true;
        case 'rename':
          if (!column || (operation.to !== operation.name && at(operation.to))) return false;
          column.name = operation.to;
          return true;
        case 'drop':
          if (!column) return false;
          live.splice(live.indexOf(column), 1);
          dropped.unshift(column);
          return true;
        case 'restore': {
          const found = dropped.find((one) => one.name === operation.name);
          if (column || !found) return false;
          dropped.splice(dropped.indexOf(found), 1);
          live.push(found);
          return true;
        }
        case 'retype':
          if (column) column.type = operation.to;
          return column !== undefined;
        case 'insert':
          rows++;
          for (const one of live) one.cells.push(one === column ? operation.value : (one.fallback ?? null));
          for (const one of dropped) one.cells.push(null);
          return true;
      }
    },
  };
}

const typed = (type: string, cell: string | null) => (cell === null || type === 'text' ? cell : Number(cell));

test('the table matches the model and loses no cell after any sequence of column changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (operations) => {
      const { id, sql_name } = await make([], { id_type: 'autoincrement' });
      const expected = model();
      const column = (wanted: string) => `/v1/tables/${id}/columns/${wanted}`;
      const send = async (one: Operation) => {
        if (one.kind === 'add')
          return call('POST', `/v1/tables/${id}/columns`, { name: one.name, type: 'text', default: one.value });
        if (one.kind === 'rename') return call('PATCH', `${column(one.name)}/rename`, { new_name: one.to });
        if (one.kind === 'drop') return call('DELETE', column(one.name));
        if (one.kind === 'restore') return call('POST', `${column(one.name)}/restore`);
        if (one.kind === 'retype') return call('PATCH', `${column(one.name)}/type`, { new_type: one.to });
        const known = expected.live.find(({ name: own }) => own === one.name);
        return call('POST', `/v1/tables/${id}/rows`, known ? { [one.name]: typed(known.type, one.value) } : {});
      };
      for (const one of operations) {
        const { status, text } = await send(one);
        assert.equal(status === 200, expected.apply(one), `${JSON.stringify(one)}: ${text}`);
      }
      const byName = (columns: { name: string; type: string }[]) =>
        columns.map(({ name: own, type }) => `${own} ${type}`).sort();
      assert.deepEqual(byName(good(await call('GET', `/v1/tables/${id}`)).columns), byName(expected.live));
      const { items } = await rowsOf(id, { size: 100 });
      for (const { name: own, type, cells } of expected.live)
        assert.deepEqual(
          items.map((row: Record<string, unknown>) => row[own]),
          cells.map((cell) => typed(type, cell)),
        );
      const seen = good(await ask(`select * from ${sql_name}`));
      assert.deepEqual(
        seen.columns.map((one: { name: string }) => one.name).sort(),
        ['id', ...expected.live.map((one) => one.name)].sort(),
      );
      await insert(id, {});
    }),
    { numRuns: 15 },
  );
});
