import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newId } from './ids.ts';

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timeOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

test('an id is a UUIDv7 that says when it was made', () => {
  const before = Date.now();
  const id = newId();
  assert.match(id, shape);
  assert.ok(timeOf(id) >= before && timeOf(id) <= Date.now() + 1);
});

test('a hundred thousand ids are well shaped, all different, and rise', () => {
  const ids = Array.from({ length: 100_000 }, () => newId());
  assert.ok(ids.every((id) => shape.test(id)));
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id, i) => i === 0 || id > (ids[i - 1] as string)));
});

test('ids rise also when the clock stands still, is set back or jumps', () => {
  let last = newId();
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 50, maxLength: 50 }), (steps) => {
      for (const step of steps) {
        const id = newId(timeOf(last) + step);
        assert.ok(id > last && shape.test(id));
        last = id;
      }
    }),
  );
});

test('more ids than one millisecond can number go on in the next', () => {
  const now = Date.now() + 100_000;
  const ids = Array.from({ length: 5000 }, () => newId(now));
  assert.ok(ids.every((id, i) => i === 0 || id > (ids[i - 1] as string)));
  assert.deepEqual([timeOf(ids[4095] as string), timeOf(ids[4096] as string)], [now, now + 1]);
});

test('the random part of an id can not be guessed from the id before', () => {
  const random = Array.from({ length: 2000 }, () => newId().slice(19));
  assert.equal(new Set(random).size, 2000);
  const places = Array.from({ length: 12 }, (_, place) => new Set(random.map((text) => text[place + 5])).size);
  assert.deepEqual(places, Array(12).fill(16), 'every place takes every digit');
});
