import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Passage } from '../passages.ts';
import { readQuestion } from './question.ts';
import { rankAnswers } from './rank-answers.ts';

const passage = (title: string, text: string): Passage => ({ title, url: null, text, weight: 1 });
const best = (question: string, ...passages: Passage[]) =>
  rankAnswers(readQuestion(question), passages)[0]?.lines.join('\n');

const backup = passage('backup.md', '# Backup\n\n1. Open the tool.\n2. Choose a folder of the app.\n3. Press the key.');

test('quotes no list of steps for the numbers of its steps', () => {
  const changes = passage(
    'changes.md',
    '# Releases of the app\n\n## 2.3\n- Faster start\n- Larger type\n\n## 2.2\n- Red icons',
  );
  assert.equal(best('What is new in version 2.3 of the app?', backup), undefined);
  assert.match(best('What is new in version 2.3 of the app?', backup, changes) ?? '', /Faster start\n- Larger type/);
});

test('prefers a list whose heading says what is asked to a sentence that only has the word', () => {
  const shed = passage('shed.md', 'The user of a ladder has to clean it before it is returned to the shed.');
  const autumn = passage(
    'autumn.md',
    '# First week of autumn\n\n## What to clean\n- the gutters\n- the pond\n- the paths',
  );
  assert.match(best('What do I have to clean on the first day?', shed, autumn) ?? '', /gutters\n- the pond/);
});
