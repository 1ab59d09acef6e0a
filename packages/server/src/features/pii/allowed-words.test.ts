import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTime } from '../../../test/support/cpu-time.ts';
import { makeAllowedWords } from './allowed-words.ts';

test('allows a name when allowed words cover all of it, as whole words in any case', () => {
  const { allows } = makeAllowedWords(['Docker', 'Project Clara', 'Pod*', 'C++'], ['Help Desk']);
  for (const name of [
    'docker',
    'DOCKER',
    "Docker's",
    'Docker Podman',
    'project  clara',
    'Help Desk',
    'C++',
    'Docker-Podman',
  ])
    assert.ok(allows('PERSON', name), name);
  for (const name of ['Dockerman', 'Docker Smith', 'Clara', 'Project', 'Desk', 'xDocker', 'Help', 'Smith Docker'])
    assert.ok(!allows('PERSON', name), name);
});

test('allows addresses, numbers and dates only by an entry that matches all of the value', () => {
  const { allows } = makeAllowedWords(
    ['*@support.example', 'sales@corp.example', '+49 30 *', 'corp', '2024'],
    ['kim@own.example'],
  );
  assert.ok(allows('EMAIL_ADDRESS', 'Help@Support.example'));
  assert.ok(allows('EMAIL_ADDRESS', 'sales@corp.example'));
  assert.ok(allows('PHONE_NUMBER', '+49 30 901820'));
  assert.ok(!allows('PHONE_NUMBER', '+49 30 901 820'), '* matches no spaces');
  assert.ok(!allows('EMAIL_ADDRESS', 'sales@corp.example.org'));
  assert.ok(!allows('EMAIL_ADDRESS', 'xsales@corp.example'));
  assert.ok(!allows('EMAIL_ADDRESS', 'kim@own.example'), 'a name of an agent allows no address');
  assert.ok(!allows('DATE_TIME', '1 May 2024'));
  assert.ok(!allows('URL', 'corp'.repeat(200)));
});

test('agrees with a regular expression about stars, and takes no longer for many of them', () => {
  const piece = fc.stringMatching(/^[ab* ]{0,8}$/);
  fc.assert(
    fc.property(fc.tuple(piece, fc.stringMatching(/^[ab ]{0,10}$/)), ([pattern, value]) => {
      const trimmed = `x${pattern}x`.replace(/ +/g, ' ');
      const text = `x${value}x`.replace(/ +/g, ' ');
      const expected = new RegExp(`^${trimmed.replaceAll('*', '[^ ]*')}$`).test(text);
      assert.equal(makeAllowedWords([trimmed]).allows('URL', text), expected, `${trimmed} ${text}`);
    }),
  );
  const started = cpuTime();
  makeAllowedWords([`${'*a'.repeat(99)}b`]).allows('URL', 'a'.repeat(500));
  assert.ok(cpuTime() - started < 5000, 'backtracking would take years');
});
