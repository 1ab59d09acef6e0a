import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeFaults } from './field-faults.ts';
import type { FormField } from './form-types.ts';

const field = (path: string[], more: Partial<FormField> = {}) =>
  ({ key: path.at(-1), path, bounds: {}, options: null, ...more }) as unknown as FormField;
const fields = [
  field(['name'], { bounds: { min_length: 1, max_length: 200 } }),
  field(['definition', 'temperature'], { bounds: { min: 0, max: 2 } }),
  field(['definition', 'base_tools']),
  field(['definition', 'base_tools', 'todos', 'title']),
];

test('puts faults to their fields by loc, in our words', () => {
  const { byPlace, others } = placeFaults(
    [
      { loc: ['body', 'definition', 'temperature'], msg: 'Input should be …', type: 'less_than_equal', ctx: { le: 2 } },
      { loc: ['body', 'name'], msg: 'String should …', type: 'string_too_short', ctx: { min_length: 1 } },
      { loc: ['body', 'definition', 'base_tools', 'todos', 'title'], msg: 'not this', type: 'value_error' },
      { loc: ['query', 'other'], msg: 'not that', type: 'value_error' },
    ],
    fields,
  );
  assert.deepEqual(
    [...byPlace].map(([place, { text }]) => [place, text]),
    [
      ['definition.temperature', 'Use a number from 0 to 2.'],
      ['name', 'This is needed.'],
      ['definition.base_tools.todos.title', 'Not this.'],
    ],
  );
  assert.deepEqual(others, ['other: not that']);
});
