import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headingsAbove } from './headings-above.ts';

const above = (content: string, headings: string[]) => headingsAbove({ content, citation: { headings } });

test('names the headings that are not lines of the passage', () => {
  assert.equal(above('# Seeds\nSow them in May.', ['Garden', 'Seeds']), 'Garden');
  assert.equal(above('The seeder is in the shed.', ['Garden', 'seed']), 'Garden > seed');
  assert.equal(above('Sow them in May.', []), '');
});

test('cuts a heading that is as long as a paragraph', () => {
  const told = above('Sow them.', ['x'.repeat(15_000), 'Seeds']);
  assert.ok(told.length < 300 && told.endsWith('… > Seeds'), told);
});
