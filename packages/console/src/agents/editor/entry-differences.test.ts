import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areEntries, differingEntries, differingFields, recordOf, sayPlainly } from './entry-differences.ts';

const kb = '0199f0aa-0000-7000-8000-000000000001';

test('entries are matched by name, whatever their place', () => {
  const before = [{ name: 'a', url: 'x' }, { name: 'b' }];
  const after = [{ name: 'b' }, { name: 'c' }, { name: 'a', url: 'y' }];
  assert.deepEqual(
    differingEntries(before, after).map((each) => [each.before?.['name'], each.after?.['name']]),
    [
      ['a', 'a'],
      [undefined, 'c'],
    ],
  );
  assert.deepEqual(differingFields({ name: 'a', url: 'x' }, { name: 'a', url: 'y' }), ['url']);
});

test('two tools of one type are told apart by their records', () => {
  const tools = [
    { type: 'kb_qa', kb_id: kb },
    { type: 'kb_qa', kb_id: 'other' },
  ];
  assert.equal(differingEntries(tools, tools.toReversed()).length, 0);
  assert.deepEqual(recordOf(tools[0] ?? {}), { kind: 'knowledge_base', id: kb });
});

test('data is said by the names in it', () => {
  assert.equal(sayPlainly({ type: 'object', properties: { id: {}, count: {} } }), 'id, count');
  assert.equal(sayPlainly({ Authorization: 'Bearer x' }), 'Authorization');
  assert.equal(sayPlainly(['a', { name: 'b' }]), 'a, b');
  assert.ok(areEntries([{ name: 'a' }], []) && !areEntries(['a'], []) && !areEntries([], []));
});
