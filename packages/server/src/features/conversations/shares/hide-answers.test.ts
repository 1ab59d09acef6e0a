import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '../../../lib/scope.ts';
import { hideAnswers } from './hide-answers.ts';

const message = (role: string, text: string, run_id?: string) => ({
  ...{ role, parts: JSON.stringify([{ content: text }]) },
  metadata: run_id === undefined ? null : JSON.stringify({ run_id }),
});
const messages = [
  message('user', 'question', 'hidden'),
  message('assistant', 'secret', 'hidden'),
  message('assistant', 'open', 'open'),
  message('assistant', 'greeting'),
];

/** The messages as a person reads them in a conversation of this owner, and the runs that were asked about. */
async function readAs(person: string, owner_id: string | null) {
  const asked: string[][] = [];
  const scope = { actor: { kind: 'person', id: person, name: 'P' } } as Scope;
  const shown = await hideAnswers(scope, { owner_id }, messages as never, async (_scope, runs) => {
    asked.push([...runs]);
    return new Set(['hidden']);
  });
  return { asked, shown: shown as typeof messages };
}

test('hides an answer from documents that a reader may not read, and nothing else', async () => {
  const { asked, shown } = await readAs('reader', 'owner');
  assert.deepEqual(asked, [['hidden', 'open']]);
  assert.doesNotMatch(JSON.stringify(shown), /secret/);
  assert.deepEqual([shown[0], shown[2], shown[3]], [messages[0], messages[2], messages[3]]);
  assert.equal(shown[1]?.metadata, null);
});

test('the owner of a conversation keeps the answers; in one without an owner all readers are checked', async () => {
  assert.deepEqual(await readAs('owner', 'owner'), { asked: [], shown: messages });
  assert.deepEqual((await readAs('reader', null)).asked, [['hidden', 'open']]);
});
