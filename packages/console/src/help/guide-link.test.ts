import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { guideSubjects } from '../text/help.ts';
import { findInGuide } from './find-in-guide.ts';
import { anchorOf, guideLink } from './guide-link.ts';

const docs = join(import.meta.dirname, '../../../../docs');

test('leads to guides and decisions when a guide links them, and nowhere when the console has no such page', () => {
  assert.equal(guideLink('keys-and-roles.md', 'people'), '/help/keys-and-roles');
  assert.equal(guideLink('keys-and-roles.md#roles', 'people'), '/help/keys-and-roles#roles');
  assert.equal(guideLink('#mail', 'people'), '/help/people#mail');
  assert.equal(guideLink('decisions/0061-owners.md', 'people'), '/help/decisions/0061-owners');
  assert.equal(guideLink('../people.md', 'decisions/0061-owners'), '/help/people');
  assert.equal(
    guideLink('0060-people-and-sessions.md', 'decisions/0061-owners'),
    '/help/decisions/0060-people-and-sessions',
  );
  assert.equal(guideLink('openapi.json', 'README'), '/docs');
  assert.equal(guideLink('../SECURITY.md', 'security'), null);
  assert.equal(guideLink('../packages/sdk/README.md', 'sdk'), null);
  assert.equal(anchorOf('A role for a key'), 'a-role-for-a-key');
});

test('lists every guide of the docs when Help is opened', () => {
  const written = readdirSync(docs)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => name.slice(0, -3));
  const listed = guideSubjects.flatMap(({ guides }) => guides.map(({ key }) => key));
  assert.deepEqual([...listed].sort(), written.sort());
});

test('finds the section of a guide when all words are in it', () => {
  const text = readFileSync(join(docs, 'budgets.md'), 'utf8');
  const [first] = findInGuide(text, 'max_cost dollars');
  assert.equal(first?.heading, 'Budgets');
  assert.ok(first?.excerpt.marks.length);
  for (const { start, end } of first?.excerpt.marks ?? [])
    assert.match(first?.excerpt.text.slice(start, end) ?? '', /^(?:max_cost|dollars)$/i);
  assert.deepEqual(findInGuide(text, 'zebra'), []);
});
