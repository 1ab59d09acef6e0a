import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CountedWindow, makeCountedRows } from './counted-rows.ts';
import type { NewAuditRow } from './store.ts';

const row = (operation: string, more: object = {}) =>
  ({ operation, person_id: null, address: null, ...more }) as unknown as NewAuditRow;

function makeTestRows(most = 2) {
  const written: NewAuditRow[] = [];
  const windows: CountedWindow[] = [];
  const rows = makeCountedRows({
    most,
    write: async (one) => void written.push(one),
    summarize(window) {
      windows.push(window);
      return window.row;
    },
  });
  return { rows, written, windows, end: () => rows.endWindows(Date.now() + 600_000) };
}

test('writes the first row at once and counts those after it by operation, person and network', async () => {
  const { rows, written, windows, end } = makeTestRows();
  await rows.add('k', row('a'), row('summary'));
  await rows.add('k', row('b', { person_id: 'p', address: '203.0.113.9' }));
  await rows.add('k', row('b', { person_id: 'p' }));
  await rows.add('k', row('c', { person_id: 'q' }));
  assert.deepEqual(written, [row('a')]);
  await end();
  const [window] = windows;
  assert.equal(window?.count, 3);
  assert.deepEqual(Object.fromEntries(window.operations), { b: 2, c: 1 });
  assert.deepEqual([...window.people], ['p', 'q']);
  assert.equal(window.networks.size, 1);
  assert.deepEqual(written, [row('a'), row('summary')]);
});

test('lists at most twenty operations and counts the rest as others', async () => {
  const { rows, windows, end } = makeTestRows();
  for (let number = 0; number <= 25; number++) await rows.add('k', row(`o${number}`, { person_id: `p${number}` }));
  await end();
  assert.equal(windows[0]?.operations.size, 21);
  assert.equal(windows[0]?.operations.get('other'), 5);
  assert.equal(windows[0]?.people.size, 20);
});

test('takes no new key when there are as many windows as may be, until one has ended', async () => {
  const { rows, written, windows } = makeTestRows(1);
  await rows.add('k', row('a'));
  assert.equal(rows.add('other', row('b')), false);
  await rows.endOldest();
  assert.deepEqual([windows.length, written.length], [0, 1], 'nothing came after its first row');
  await rows.add('other', row('b'));
  assert.deepEqual(written, [row('a'), row('b')]);
});
