import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LruCache } from './lru-cache.ts';

test('removes the entry that was used longest ago when a further one is set', () => {
  const cache = new LruCache<string, number>({ max: 2 });
  cache.set('a', 1);
  cache.set('b', 2);
  assert.equal(cache.get('a'), 1);
  cache.set('c', 3);
  assert.deepEqual([...cache.keys()], ['a', 'c']);
  assert.equal(cache.get('b'), undefined);
});

test('does not count has() as a use', () => {
  const cache = new LruCache<string, number>({ max: 2 });
  cache.set('a', 1);
  cache.set('b', 2);
  assert.equal(cache.has('a'), true);
  cache.set('c', 3);
  assert.equal(cache.has('a'), false);
});

test('counts setting an entry again as a use, and not as a second entry', () => {
  const cache = new LruCache<string, number>({ max: 2 });
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('a', 3);
  cache.set('c', 4);
  assert.deepEqual([...cache.keys()], ['a', 'c']);
  assert.equal(cache.get('a'), 3);
});

test('removes as many entries as a heavy one needs, and keeps none that is too heavy by itself', () => {
  const cache = new LruCache<string, string>({ max: 10, weigh: (text) => text.length });
  cache.set('a', 'xxxx');
  cache.set('b', 'xxxx');
  cache.set('c', 'xxxxxxxxx');
  assert.deepEqual([...cache.keys()], ['c']);
  cache.set('d', 'x'.repeat(11));
  assert.equal(cache.size, 0);
  cache.set('e', 'x'.repeat(10));
  assert.equal(cache.size, 1);
});

test('frees the weight of entries that are deleted or cleared', () => {
  const cache = new LruCache<string, string>({ max: 3, weigh: (text) => text.length });
  cache.set('a', 'xxx');
  cache.delete('a');
  cache.delete('a');
  cache.set('b', 'xxx');
  assert.equal(cache.get('b'), 'xxx');
  cache.clear();
  cache.set('c', 'xxx');
  assert.deepEqual([...cache.keys()], ['c']);
});

test('holds at most max entries, the most recently used ones, after any calls', () => {
  const calls = fc.array(fc.tuple(fc.constantFrom('get', 'set', 'delete'), fc.integer({ min: 0, max: 6 })));
  fc.assert(
    fc.property(calls, (all) => {
      const cache = new LruCache<number, number>({ max: 3 });
      let used: number[] = [];
      for (const [call, key] of all) {
        if (call === 'get') assert.equal(cache.get(key), used.includes(key) ? key : undefined);
        else if (call === 'set') cache.set(key, key);
        else cache.delete(key);
        const isKept = call === 'set' || (call === 'get' && used.includes(key));
        used = [...used.filter((other) => other !== key), ...(isKept ? [key] : [])].slice(-3);
        assert.deepEqual([...cache.keys()], used);
      }
    }),
  );
});
