import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentForm } from '@atrium/contract/form-fields/agent-form.ts';
import { searchFields } from './search-fields.ts';
import { hasEffect } from './shown-when.ts';

const field = (key: string, label: string, help = '', section = 'Sampling') => ({ key, label, help, section });
const fields = [
  field('temperature', 'Temperature', 'How much chance there is.'),
  field('timeout', 'Time for a model call', 'How long a call may take.', 'Reliability'),
  field('top_p', 'Top P', 'Use it or the temperature, not both.'),
  field('jailbreak', 'Jailbreak attempts', '', 'Guardrails'),
  field('persona', 'Persona', 'Who the agent is. Contemporary words.', 'Instructions'),
];
const found = (typed: string) => searchFields(fields, typed).map(({ key }) => key);

test('finds fields by name and key before those whose help mentions the word', () => {
  assert.deepEqual(found('temp'), ['temperature']);
  assert.deepEqual(found('top_p'), ['top_p']);
  assert.deepEqual(found('sampling'), ['temperature', 'top_p']);
  assert.deepEqual(found('chance'), ['temperature'], 'by help when nothing else fits');
  assert.deepEqual(found('time call'), ['timeout'], 'all words have to fit');
  assert.deepEqual(found('nothing like it'), []);
  assert.equal(found(' ').length, fields.length);
});

test('every setting of agents is found by its key and by its label', () => {
  const { fields: settings } = agentForm();
  for (const { key, label } of settings)
    for (const typed of [key, label])
      assert.ok(
        searchFields(settings, typed).some((setting) => setting.key === key),
        typed,
      );
});

test('a field has an effect when the values of others say so', () => {
  const readValue = (key: string) => ({ preset: 'default', action: { value: 'replace' } })[key];
  const shown = (shown_when: Parameters<typeof hasEffect>[0]['shown_when']) => hasEffect({ shown_when }, readValue);
  assert.ok(shown(null));
  assert.ok(shown({ all: [{ key: 'preset', is: ['default'] }] }));
  assert.ok(shown({ all: [{ key: 'action', field: 'value', is: ['replace'] }] }));
  assert.ok(
    !shown({
      all: [
        { key: 'preset', is: ['default'] },
        { key: 'gone', is: [true] },
      ],
    }),
  );
  assert.ok(
    shown({
      any: [
        { key: 'gone', is: [true] },
        { key: 'preset', is: ['default'] },
      ],
    }),
  );
});
