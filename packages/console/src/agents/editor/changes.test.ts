import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentForm } from '@atrium/contract/form-fields/agent-form.ts';
import { baseToolForm } from '@atrium/contract/form-fields/base-tool-form.ts';
import { writeAt } from '../../forms/field-values.ts';
import type { Form, Values } from '../../forms/form-types.ts';
import { comparedAs, listDifferences } from './changes.ts';

const [form, tools] = [agentForm(), baseToolForm()] as unknown as Form[] as [Form, Form];
const before: Values = {
  name: 'Desk',
  definition: {
    persona: [{ text: 'You help.' }],
    base_tools: [
      { type: 'todos', enabled: false, title: 'To-dos' },
      { type: 'web_research', enabled: false },
    ],
  },
};

test('counts a changed text and each changed tool once', () => {
  let after = writeAt(before, ['definition', 'persona'], 'You help a lot.');
  after = writeAt(after, ['definition', 'base_tools', 'todos', 'enabled'], true);
  after = writeAt(after, ['definition', 'base_tools', 'todos', 'title'], 'Tasks');
  after = writeAt(after, ['definition', 'base_tools', 'web_research', 'enabled'], true);
  const found = listDifferences(form, tools, before, after);
  assert.deepEqual(
    found.map(({ label, parts }) => [label, parts.length]),
    [
      ['Persona', 1],
      ['Web research', 1],
      ['To-dos', 2],
    ],
  );
  assert.deepEqual(listDifferences(form, tools, before, writeAt(before, ['definition', 'persona'], 'You help.')), []);
});

test('compares texts by words, choices by value and lists as JSON', () => {
  const named = (key: string) => form.fields.find((field) => field.key === key) as Form['fields'][number];
  assert.equal(comparedAs(named('persona'), 'a', 'b'), 'text');
  assert.equal(comparedAs(named('guardrail_action'), { value: 'fail' }, 'warn'), 'value');
  assert.equal(comparedAs(named('glossary'), [], [{ term: 'x' }]), 'json');
  assert.equal(comparedAs(named('temperature'), 0.7, 1), 'value');
});
