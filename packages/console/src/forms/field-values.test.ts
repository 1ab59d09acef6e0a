import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, plainText, readAt, sameValue, writeAt } from './field-values.ts';

const values = {
  name: 'Desk',
  definition: { top_p: 1, base_tools: [{ type: 'todos', enabled: false, icon: 'list' }] },
};

test('reads values by path, and entries of a list by their type', () => {
  assert.equal(readAt(values, ['name']), 'Desk');
  assert.equal(readAt(values, ['definition', 'base_tools', 'todos', 'enabled']), false);
  assert.equal(readAt(values, ['definition', 'base_tools', 'files', 'enabled']), undefined);
  assert.equal(readAt(values, ['name', 'deeper']), undefined);
});

test('writes one value and keeps all others', () => {
  const written = writeAt(values, ['definition', 'base_tools', 'todos', 'enabled'], true);
  assert.deepEqual(written.definition.base_tools, [{ type: 'todos', enabled: true, icon: 'list' }]);
  assert.equal(values.definition.base_tools[0]?.enabled, false, 'the old values stay');
  assert.equal(readAt(writeAt(values, ['definition', 'top_p'], 0.5), ['definition', 'top_p']), 0.5);
});

test('makes a body of the changed values alone', () => {
  const changes = [
    { path: ['definition', 'top_p'], value: 0.5 },
    { path: ['definition', 'base_tools', 'todos', 'enabled'], value: true },
    { path: ['definition', 'base_tools', 'files', 'enabled'], value: false },
    { path: ['definition', 'base_tools', 'todos', 'title'], value: 'Tasks' },
  ];
  assert.deepEqual(bodyOf(changes), {
    definition: {
      top_p: 0.5,
      base_tools: [
        { type: 'todos', enabled: true, title: 'Tasks' },
        { type: 'files', enabled: false },
      ],
    },
  });
});

test('compares rich texts by their words and choices by their value', () => {
  const rich = { control: 'rich_text', type: 'list' } as const;
  assert.ok(sameValue(rich, 'Hello', [{ text: 'Hello', definition: { type: 'doc', content: [] } }]));
  assert.ok(!sameValue(rich, 'Hello', 'Hallo'));
  const select = { control: 'select', type: 'object' } as const;
  assert.ok(sameValue(select, { value: 'fail', label: 'Fail/block run' }, 'fail'));
  const json = { control: 'json', type: 'any' } as const;
  assert.ok(sameValue(json, { a: 1, b: undefined }, { a: 1 }));
  assert.ok(!sameValue(json, [1, 2], [2, 1]));
  assert.equal(plainText(null), '');
});
