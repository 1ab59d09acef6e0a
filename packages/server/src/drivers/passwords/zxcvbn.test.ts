import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeZxcvbn } from './zxcvbn.ts';

const { score } = makeZxcvbn();

test('scores common passwords, keyboard walks and repetitions low, and unrelated words high', async () => {
  for (const word of ['password1234', 'P@ssw0rd1234', 'qwertyuiop123', '123456789012', 'abcabcabcabc', 'iloveyou2024'])
    assert.ok((await score(word, [])) < 3, word);
  for (const word of ['correct horse battery staple', 'ein sehr langes Kennwort', 'xK3$vq9!Lm2z'])
    assert.equal(await score(word, []), 4, word);
});

test('scores a password lower when it is made of words of its person', async () => {
  const [alone, known] = await Promise.all([score('zebulon quint', []), score('zebulon quint', ['zebulon', 'quint'])]);
  assert.ok(known < alone, `${known} ${alone}`);
});

test('scores passwords again after its thread has ended', async () => {
  const brief = makeZxcvbn({ end_after_ms: 0 });
  for (let rounds = 0; rounds < 2; rounds++) {
    assert.equal(await brief.score('aaaaaaaaaaaa', []), 0);
    await new Promise((done) => setTimeout(done, 5));
  }
});

test('scores the slowest passwords of full length', async () => {
  for (const part of ['4@8({[<3369&#!1/|0$5+7%2', 'p@$$w0rd', '10/10/2010', '1l|!i'])
    assert.ok((await score(part.repeat(25).slice(0, 200), [])) >= 0);
});
