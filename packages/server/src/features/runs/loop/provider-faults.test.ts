import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Reply } from '../../../../test/providers/scripted-server.ts';
import { comparableAttempts, inOrder, rawServer, scriptedApp } from '../../../../test/support/scripted-app.ts';

const app = await scriptedApp();
// top_k is set to what every provider takes, so that no warning comes between the events.
const patient = { max_retries_per_model: 1, timeout: 60, top_k: 0 };
/** Enough for the second call, even on a busy machine. */
const impatient = { timeout: 3 };
const never = new Promise(() => {});
const whole = 'The whole answer';
const twice = [
  ['one', 0, 'failed'],
  ['one', 0, 'ok'],
];
const untilStep = ['run-start', 'step-start', 'attempt-start'];
const toTheEnd = ['text-delta', 'step-end', 'message-end', 'run-end'];

/** One call goes wrong, the next one does not. */
async function recovers(fault: Reply, reason: RegExp, settings: object = {}) {
  const { server, name } = await app.provider(fault, { text: whole });
  const seen = await app.ask({ model: [`${name}/one`], ...patient, ...settings });
  assert.equal(seen.status, 'completed');
  assert.deepEqual([seen.shown, seen.text], [whole, whole]);
  assert.deepEqual(seen.parts, [{ role: 'assistant', type: 'text', content: whole, step: 1 }]);
  assert.deepEqual(comparableAttempts(seen.metadata), twice);
  assert.match(seen.metadata.attempts[0]?.reason ?? '', reason);
  assert.equal(seen.metadata.model, `${name}/one`);
  assert.equal(server.requests.length, 2);
  return { ...seen, server };
}

/** Before anything was said there is nothing to take back. */
async function recoversUnseen(fault: Reply, reason: RegExp, settings: object = {}) {
  const seen = await recovers(fault, reason, settings);
  assert.deepEqual(inOrder(seen.events), [...untilStep, 'attempt-start', ...toTheEnd]);
  assert.ok(!seen.chunks.includes('reset-step'));
  return seen;
}

/** The client receives the beginning and then a reset; the stored message never contains it. */
async function takesBack(fault: Reply, reason: RegExp, settings: object = {}) {
  const seen = await recovers(fault, reason, settings);
  assert.deepEqual(inOrder(seen.events), [...untilStep, 'text-delta', 'attempt-start', ...toTheEnd]);
  const boundaries = seen.events.flatMap((event) => (event.type === 'attempt-start' ? [event.discard] : []));
  assert.deepEqual(boundaries, [false, true]);
  assert.ok(seen.chunks.includes('reset-step'));
  assert.ok(!JSON.stringify(seen.conversation).includes('Lost'));
  return seen;
}

suite('one call goes wrong', { concurrency: 8 }, () => {
  test('a 429 is waited for as long as its Retry-After says', async () => {
    const { server } = await recoversUnseen({ status: 429, headers: { 'retry-after': '1' } }, /answered 429/);
    const [first, second] = server.requests;
    assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 990);
  });

  test('a 500 is tried again', async () => {
    await recoversUnseen({ status: 500, error: 'Oh no' }, /answered 500: Oh no/);
  });

  test('silence before the headers ends after `timeout` and is tried again', async () => {
    const { server } = await recoversUnseen({ after: never }, /No answer within 3 s/, impatient);
    await server.requests[0]?.done;
    assert.equal(server.requests[0]?.closed_early, true);
  });

  test('silence between chunks ends after `timeout`; the text is retracted', async () => {
    const { server } = await takesBack(
      { text: 'Lost words', deltas: 2, held: { before: 'words', until: never } },
      /No answer within 3 s/,
      impatient,
    );
    await server.requests[0]?.done;
    assert.equal(server.requests[0]?.closed_early, true);
  });

  test('a trickle that takes longer than `timeout` is given up', async () => {
    await takesBack({ text: 'Lost '.repeat(99), deltas: 99, chunk_delay_ms: 50 }, /No answer within 3 s/, impatient);
  });

  test('a connection that drops after some tokens starts over; the answer is there once', async () => {
    await takesBack({ text: 'Lost words of an answer', deltas: 6, drop_after: 4 }, /broke off/);
  });

  test('a chunk that is no JSON breaks the attempt', async () => {
    await takesBack({ text: 'Lost words', deltas: 4, malformed_at: 3 }, /could not be read/);
  });
});

suite('answers that are none', { concurrency: 8 }, () => {
  const chunk = (fields: object) =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', ...fields })}\n\n`;
  const content = (text: string) => chunk({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] });
  const good = `${content(whole)}${chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}data: [DONE]\n\n`;

  test('a 200 with an empty body is a broken attempt', async () => {
    const server = await rawServer('', good);
    const seen = await app.ask({ model: [`${await app.account([server.url])}/one`], ...patient });
    assert.deepEqual([seen.status, seen.shown, seen.text, server.asked()], ['completed', whole, whole, 2]);
    assert.match(seen.metadata.attempts[0]?.reason ?? '', /could not be read/);
  });

  test('an error event in the middle of a stream breaks the attempt and its words are kept', async () => {
    const error = `data: ${JSON.stringify({ error: { message: 'Overloaded', type: 'server_error', code: null } })}\n\n`;
    const server = await rawServer(`${content('Lost')}${error}`, good);
    const seen = await app.ask({ model: [`${await app.account([server.url])}/one`], ...patient });
    assert.deepEqual([seen.status, seen.shown, seen.text, server.asked()], ['completed', whole, whole, 2]);
    assert.match(seen.metadata.attempts[0]?.reason ?? '', /Overloaded/);
    assert.ok(!JSON.stringify(seen.conversation).includes('Lost'));
  });

  test('an error event whose code is not worth a retry is not retried', async () => {
    const error = `data: ${JSON.stringify({ error: { message: 'Too long', type: 'invalid', code: 400 } })}\n\n`;
    const server = await rawServer(`${content('Lost')}${error}`, good);
    const seen = await app.ask({ model: [`${await app.account([server.url])}/one`], ...patient });
    assert.deepEqual([seen.status, seen.text, seen.shown, server.asked()], ['failed', 'Lost', 'Lost', 1]);
  });

  test('keeps the words of a reply that broke off when no further attempt says anything, with the reason', async () => {
    const { name } = await app.provider(
      { text: 'Words that were read', deltas: 4, drop_after: 3 },
      { status: 500, error: 'Oh no' },
      { text: 'Go on' },
    );
    const seen = await app.ask({ model: [`${name}/one`], ...patient, hide_error_banners: true });
    assert.equal(seen.status, 'failed');
    assert.match(seen.text, /^Words/);
    assert.equal(seen.shown, seen.text);
    const { json } = await app.call('GET', `/v1/conversations/${seen.id}/messages?format=ui`);
    const [answer] = json.items;
    assert.equal(answer.parts.find(({ type }: { type: string }) => type === 'text')?.text, seen.text);
    assert.deepEqual([answer.failure.code, answer.failure.message], ['model_failed', seen.error?.content]);
  });

  test('an answer that was refused before a model was asked says why in messages for screens', async () => {
    const { name, server } = await app.provider();
    const seen = await app.ask(
      { model: [`${name}/one`], usage_limits_maximum_tokens: 1000, max_tokens: 10 },
      'x '.repeat(450),
    );
    assert.equal(server.requests.length, 0);
    const { json } = await app.call('GET', `/v1/conversations/${seen.id}/messages?format=ui`);
    assert.deepEqual([json.items[0].parts, json.items[0].failure.code], [[], 'usage_limit_reached']);
  });

  test('fails the run with "could not be reached" when the provider is unreachable', async () => {
    const name = await app.account(['http://127.0.0.1:9/v1']);
    const seen = await app.ask({ model: [`${name}/one`], ...patient });
    assert.equal(seen.status, 'failed');
    assert.equal(seen.error?.code, 'model_failed');
    assert.match(seen.error?.content ?? '', /No model answered after 2 attempts.*could not be reached/);
  });
});
