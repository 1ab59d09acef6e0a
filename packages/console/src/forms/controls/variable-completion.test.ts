import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countWords, insertVariable, typedVariable, variablesIn } from './variable-completion.ts';

test('completes a variable where its braces were opened', () => {
  const text = 'Write to customers of {{sho as a colleague.';
  const caret = text.indexOf('{{sho') + 5;
  assert.deepEqual(typedVariable(text, caret), { start: 22, name: 'sho' });
  assert.equal(typedVariable(text, caret + 3), undefined);
  const inserted = insertVariable(text, caret, 'shop_name');
  assert.equal(inserted.text, 'Write to customers of {{shop_name}} as a colleague.');
  assert.equal(inserted.text.slice(0, inserted.caret), 'Write to customers of {{shop_name}}');
});

test('does not double braces that close what was typed', () => {
  assert.equal(insertVariable('{{sh}} and more', 4, 'shop').text, '{{shop}} and more');
  assert.deepEqual(variablesIn('{{a}} {{ b }} {{a}} {c}'), ['a', 'b']);
  assert.equal(countWords('You’re the desk, 2 words more.'), 6);
});
