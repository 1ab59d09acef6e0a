import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeQuerySlots } from './query-slots.ts';

/** Work that runs until the test ends it. */
function makeWork(slots: ReturnType<typeof makeQuerySlots>) {
  const running: { workspace: string; end(): void }[] = [];
  const ask = (workspace: string) =>
    slots(workspace, () => new Promise<void>((end) => running.push({ workspace, end })));
  const endFirst = async (workspace: string) => {
    const index = running.findIndex((each) => each.workspace === workspace);
    running.splice(index, 1)[0]?.end();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const names = () => running.map(({ workspace }) => workspace).join('');
  return { ask, endFirst, settled, names };
}

test('a workspace that fills its slots does not take those of another workspace', async () => {
  const { ask, settled, names, endFirst } = makeWork(makeQuerySlots({ total: 4, each: 2, waiting: 5 }));
  const asked = ['a', 'a', 'a', 'a', 'b'].map(ask);
  await settled();
  assert.equal(names(), 'aab');
  asked.push(ask('b'), ask('c'));
  await settled();
  assert.equal(names(), 'aabb', 'the bound over all workspaces holds');
  await endFirst('a');
  assert.equal(names(), 'abbc', 'who runs the fewest is next, although another waits longer');
  for (const workspace of ['a', 'a', 'a', 'b', 'b', 'c']) await endFirst(workspace);
  await Promise.all(asked);
});

test('a workspace whose queue is full is refused, and another is not', async () => {
  const { ask, settled, names, endFirst } = makeWork(makeQuerySlots({ total: 2, each: 1, waiting: 2 }));
  const asked = [ask('a'), ask('a'), ask('a')];
  await settled();
  await assert.rejects(ask('a'), { code: 'query_busy' });
  asked.push(ask('b'));
  await settled();
  assert.equal(names(), 'ab');
  for (const workspace of ['a', 'a', 'a', 'b']) await endFirst(workspace);
  await Promise.all(asked);
});

test('a slot is free again after work that failed', async () => {
  const slots = makeQuerySlots({ total: 1, each: 1, waiting: 1 });
  await assert.rejects(slots('a', () => Promise.reject(new Error('no'))));
  assert.equal(await slots('a', async () => 7), 7);
});
