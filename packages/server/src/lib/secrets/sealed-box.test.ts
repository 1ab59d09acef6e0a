import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { boxKey, newBoxKey, open, seal, sealingKeyId } from './sealed-box.ts';

const context = fc.string({ unit: 'binary' });
const plain = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);
const key = newBoxKey();

test('opens every text that it has sealed', () => {
  fc.assert(
    fc.property(context, plain, (where, what) => {
      const box = seal(key, where, what);
      assert.equal(sealingKeyId(box), key.id);
      assert.match(box, /^box1\.[0-9a-f]{16}\.[\w-]+$/);
      assert.deepEqual(open(key, where, box), Buffer.from(what));
    }),
  );
});

test('the same text is never the same box twice, and the box does not show it', () => {
  const boxes = Array.from({ length: 1000 }, () => seal(key, 'c', 'the same words'));
  assert.equal(new Set(boxes).size, 1000);
  const inside = boxes.map((box) => Buffer.from(box.split('.')[2] as string, 'base64url').toString('latin1'));
  assert.ok(inside.every((bytes) => !bytes.includes('same')));
});

test('a box with any bit of its text flipped does not open', () => {
  fc.assert(
    fc.property(plain, fc.nat(), fc.nat({ max: 7 }), (what, place, bit) => {
      const bytes = Buffer.from(seal(key, 'c', what), 'latin1');
      const at = place % bytes.length;
      bytes[at] = (bytes[at] as number) ^ (1 << bit);
      assert.throws(() => open(key, 'c', bytes.toString('latin1')), /^Error: The sealed box/);
    }),
    { numRuns: 2000 },
  );
});

test('a box that is cut, lengthened or no box at all does not open', () => {
  fc.assert(
    fc.property(plain, fc.nat(), fc.string({ minLength: 1, maxLength: 5 }), (what, length, more) => {
      const box = seal(key, 'c', what);
      assert.throws(() => open(key, 'c', box.slice(0, length % box.length)), /^Error: The sealed box/);
      assert.throws(() => open(key, 'c', box + more), /^Error: The sealed box/);
      assert.throws(() => open(key, 'c', more), /^Error: The sealed box/);
    }),
  );
});

test('a box opens only for the context and with the key it was sealed for', () => {
  fc.assert(
    fc.property(context, context, plain, (where, elsewhere, what) => {
      const box = seal(key, where, what);
      if (where !== elsewhere) assert.throws(() => open(key, elsewhere, box), /sealed for something else/);
      assert.throws(() => open(newBoxKey(), where, box), /made with another key/);
      // Nor by a key that passes itself off under the same name.
      assert.throws(() => open({ ...newBoxKey(), id: key.id }, where, box), /sealed for something else/);
    }),
  );
});

test("a key's name follows from the key and does not tell it", () => {
  const secret = Buffer.alloc(32, 7);
  assert.equal(boxKey(secret).id, boxKey(Buffer.from(secret)).id);
  assert.notEqual(boxKey(secret).id, newBoxKey().id);
  assert.ok(!secret.toString('hex').includes(boxKey(secret).id));
});

test('a key keeps its name in every version of the program, since stored boxes carry it', () => {
  assert.equal(boxKey(Buffer.alloc(32, 7)).id, 'b9e24828e5b48d1e');
  assert.equal(newBoxKey().secret.length, 32);
});
