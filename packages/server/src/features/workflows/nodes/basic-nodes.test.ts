import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runNode } from '../testing.ts';
import { inputNode } from './data/input.ts';
import { outputNode } from './data/output.ts';
import { conditionNode } from './logic/condition.ts';
import { NodeFailure } from './node-failure.ts';
import { composeTextNode } from './text/compose-text.ts';
import { makeTextGenerationNode } from './text/text-generation.ts';

test('an input returns the value of the run, else its fixed value, else fails', async () => {
  assert.deepEqual(await runNode(inputNode, { input: 'a' }, { value: 'b', fixed_value: true }), { output: 'a' });
  assert.deepEqual(await runNode(inputNode, {}, { value: 'b', fixed_value: true }), { output: 'b' });
  const lines: string[] = [];
  const given = { input: { author: 'a' }, log: (line: string) => void lines.push(line) };
  await assert.rejects(runNode(inputNode, {}, { label: 'Author' }, given), /without a value for Author/);
  assert.deepEqual(lines, ['The run brought: author']);
});

test('an output returns its value', async () => {
  assert.deepEqual(await runNode(outputNode, { input: { a: 1 } }), { output: { a: 1 } });
});

test('fills keys and variables into a composed text, in one pass', async () => {
  const inputs = { variables: { Name: '((Other)) {{city}} {{secret.KEY}}', Other: 'x', 'Input (1)': 'one' } };
  const config = { template: '(((Name))), ((Input (1))), {{city}}, ((Unknown)), {{secret.KEY}}' };
  const { output } = await runNode(composeTextNode, inputs, config, { variables: { city: '((Other))' } });
  assert.equal(output, '(((Other)) {{city}} { {secret.KEY}}), one, ((Other)), ((Unknown)), {{secret.KEY}}');
});

test('fills in parts of a value by path, and keeps placeholders without a value', async () => {
  const row = { name: 'Ada', tags: ['x', { deep: '{{secret.KEY}}' }], none: null };
  const inputs = { variables: { row, 'row.name': 'the key itself', text: 'plain' } };
  const composed = async (template: string) => (await runNode(composeTextNode, inputs, { template }))['output'];
  assert.equal(
    await composed('((row.name))|((row.tags.0))|((row.none))|((row.tags))'),
    `the key itself|x||${JSON.stringify(row.tags).replace('{{', '{ {')}`,
  );
  assert.equal(await composed('((row.tags.1.deep))'), '{ {secret.KEY}}');
  const left = '((row.nobody)) ((row.constructor)) ((row.tags.7)) ((text.length)) ((.row)) ((row.))';
  assert.equal(await composed(left), left);
});

test('a condition returns its value at one output only', async () => {
  const config = { expression: 'value > 3 and Name == "a"' };
  assert.deepEqual(await runNode(conditionNode, { value: 5, variables: { Name: 'a' } }, config), { true: 5 });
  assert.deepEqual(await runNode(conditionNode, { value: 2, variables: { Name: 'a' } }, config), { false: 2 });
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const inputs = { value: 2, variables: { Name: 'a' } };
  await assert.rejects(runNode(conditionNode, inputs, { expression: 'nobody > 1' }, { log }), NodeFailure);
  await assert.rejects(runNode(conditionNode, inputs, { expression: 'value / 0 > 1' }, { log }), NodeFailure);
  assert.deepEqual(lines, ['Known here: value, Name, run']);
});

test('generates text by a prompt with its keys filled in', async () => {
  const asked: unknown[] = [];
  const node = makeTextGenerationNode(async (_, question) => {
    asked.push(question.text);
    return { text: 'Yes', model: 'm', input_tokens: 1, output_tokens: 1 };
  });
  assert.deepEqual(await runNode(node, { variables: { A: 'you' } }, { template: 'Are ((A))?' }), { output: 'Yes' });
  assert.deepEqual(asked, [{ text: 'Are you?', covered: [] }]);
});

test('an input converts text to its type', async () => {
  const read = async (type: string, input: unknown) => (await runNode(inputNode, { input }, { type }))['output'];
  assert.deepEqual(await read('str', { a: 1 }), '{"a":1}');
  assert.deepEqual([await read('int', '5'), await read('float', 1.5), await read('bool', 'true')], [5, 1.5, true]);
  assert.deepEqual([await read('list', '[1]'), await read('dict', { a: 1 })], [[1], { a: 1 }]);
  assert.deepEqual(await read('File', { uri: 'store://x' }), { uri: 'store://x' });
  for (const [type, input] of [
    ['int', '1.5'],
    ['int', 'x'],
    ['list', '{}'],
    ['bool', 'perhaps'],
  ])
    await assert.rejects(read(type as string, input), NodeFailure);
});
