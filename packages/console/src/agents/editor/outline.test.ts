import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentForm } from '@atrium/contract/form-fields/agent-form.ts';
import type { Form } from '../../forms/form-types.ts';
import { groupOf, outlineOf } from './outline.ts';

const form = agentForm() as unknown as Form;

test('every setting of the server stands in one group of the editor', () => {
  const shown = outlineOf(form).flatMap(({ sections }) =>
    sections.flatMap(({ fields }) => fields.map(({ key }) => key)),
  );
  assert.deepEqual(shown.sort(), form.fields.map(({ key }) => key).sort());
});

test('the built-in tools stand first in their group', () => {
  const tools = outlineOf(form).find(({ id }) => id === 'tools');
  assert.equal(tools?.sections[0]?.fields[0]?.key, 'base_tools');
});

test('a switch that others depend on stands before them', () => {
  const keys = outlineOf(form).flatMap(({ sections }) =>
    sections.flatMap(({ fields }) => fields.map(({ key }) => key)),
  );
  for (const [first, second] of [
    ['variables_enabled', 'variables'],
    ['subagents_enabled', 'subagents'],
    ['parameter_preset', 'temperature'],
  ] as const)
    assert.ok(keys.indexOf(first) < keys.indexOf(second), `${first} before ${second}`);
});

test('settings that are edited by hand have a group with a name', () => {
  const edited = form.fields.filter(({ control, group }) => control !== 'none' && group !== 'layout');
  const nameless = edited.filter((field) => groupOf(field) === 'advanced').map(({ key }) => key);
  assert.deepEqual(nameless.sort(), ['agent_flow_id', 'agentflow_enabled', 'chatflow_tools', 'tools']);
});
