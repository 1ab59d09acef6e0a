import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, bodyText, parametersOf, parametersToTry, readExample, schemaOf } from './parameters.ts';

const schema = {
  type: 'object',
  properties: { id: { type: 'string', description: 'The order', enum: ['a', 'b'] }, count: { type: 'integer' } },
  required: ['id'],
};

test('a plain schema becomes rows and the same schema again', () => {
  const rows = parametersOf(schema);
  assert.deepEqual(
    rows?.map(({ name, type, required }) => [name, type, required]),
    [
      ['id', 'string', true],
      ['count', 'integer', false],
    ],
  );
  assert.deepEqual(schemaOf(rows ?? [], schema), schema);
  assert.deepEqual(parametersOf(undefined), []);
  assert.equal(schemaOf([], schema), undefined);
});

test('a schema that says more than rows can has none', () => {
  assert.equal(parametersOf({ ...schema, anyOf: [] }), undefined);
  assert.equal(parametersOf({ type: 'object', properties: { x: { type: ['string', 'null'] } } }), undefined);
});

test('an action without a schema is tried with the places of its request', () => {
  const action = {
    url: 'https://x/{{id}}',
    headers: { a: '{{secret.KEY}}' },
    body: { n: '{{note}}', again: '{{id}}' },
  };
  assert.deepEqual(
    parametersToTry(action).map(({ name }) => name),
    ['id', 'note'],
  );
});

test('typed examples and bodies become values of their type', () => {
  assert.deepEqual(
    [
      readExample('integer', '3'),
      readExample('integer', 'x'),
      readExample('boolean', 'true'),
      readExample('array', '[1]'),
      readExample('string', '3'),
    ],
    [3, 'x', true, [1], '3'],
  );
  assert.deepEqual(bodyOf('{"a": "{{x}}"}'), { a: '{{x}}' });
  assert.equal(bodyOf('{"a": {{x}}}'), '{"a": {{x}}}');
  assert.equal(bodyOf(' '), undefined);
  assert.equal(bodyText({ a: 1 }), '{\n  "a": 1\n}');
});
