import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openaiProvider } from '../../../../test/providers/openai-provider.ts';
import { closing, comparableAttempts, inOrder, scriptedApp } from '../../../../test/support/scripted-app.ts';

const app = await scriptedApp();
const once = { max_retries_per_model: 0, timeout: 60, top_k: 0 };
const never = new Promise(() => {});
const both = (name: string) => [`${name}/one`, `${name}/two`];
const askedFor = (requests: { body: { model: string } }[]) => requests.map(({ body }) => body.model);
const failed = { status: 503, error: 'Busy' };

suite('fallbacks', { concurrency: 8 }, () => {
  test('a 503 that never ends is a failed run: an error part, and a blocking call still answers 200', async () => {
    const { server, name } = await app.provider(failed, failed, failed, failed);
    const settings = { ...once, model: [`${name}/one`], max_retries_per_model: 1 };
    const seen = await app.ask(settings);
    assert.equal(seen.status, 'failed');
    const content = `No model answered after 2 attempts. ${name}/one: The provider answered 503: Busy`;
    assert.deepEqual(seen.parts, [{ role: 'assistant', type: 'error', content, code: 'model_failed' }]);
    assert.deepEqual(seen.errors, [content]);
    assert.deepEqual(inOrder(seen.events).slice(-2), ['message-end', 'run-end']);
    assert.deepEqual(comparableAttempts(seen.metadata), [
      ['one', 0, 'failed'],
      ['one', 0, 'failed'],
    ]);
    assert.equal(server.requests.length, 2);

    const blocking = await app.call('POST', `/v1/conversations/${await app.converse(settings)}`, { content: 'Hello' });
    assert.deepEqual([blocking.status, blocking.json.status], [200, 'failed']);
    assert.equal(blocking.json.messages.at(-1).message_parts[0].type, 'error');
    const run_id = blocking.json.messages.at(-1).metadata.run_id;
    const { json: run } = await app.call('GET', `/v1/runs/${run_id}`);
    assert.deepEqual([run.status, run.error], ['failed', { code: 'model_failed', message: content }]);
  });

  test('what was read of a failed run stays, and is stored', async () => {
    const { name } = await app.provider({ text: 'Lost words', deltas: 4, drop_after: 3 });
    const seen = await app.ask({ ...once, model: [`${name}/one`] });
    assert.equal(seen.status, 'failed');
    assert.match(seen.text, /^Lost/);
    assert.equal(seen.shown, seen.text);
  });

  test('a status that is not listed is not tried again, and the next model answers', async () => {
    const { server, name } = await app.provider({ status: 400, error: 'No' }, { text: 'From two' });
    const seen = await app.ask({ ...once, model: both(name), max_retries_per_model: 3 });
    assert.deepEqual([seen.status, seen.shown, seen.text], ['completed', 'From two', 'From two']);
    assert.deepEqual(askedFor(server.requests), ['one', 'two']);
    assert.equal(seen.metadata.model, `${name}/two`);
    assert.deepEqual(comparableAttempts(seen.metadata), [
      ['one', 0, 'failed'],
      ['two', 0, 'ok'],
    ]);
  });

  test('retry_on_status_codes says which answers are tried again', async () => {
    const { server, name } = await app.provider({ status: 418 }, { text: 'Tea' });
    const settings = { ...once, model: [`${name}/one`], max_retries_per_model: 1, retry_on_status_codes: [418] };
    assert.equal((await app.ask(settings)).text, 'Tea');
    server.reply({ status: 503 });
    assert.equal((await app.ask(settings)).status, 'failed');
    assert.equal(server.requests.length, 3);
  });

  test('max_retries_per_model is how often one model is tried again before the next', async () => {
    const { server, name } = await app.provider(failed, failed, { text: 'From two' });
    const seen = await app.ask({ ...once, model: both(name), max_retries_per_model: 1 });
    assert.deepEqual(askedFor(server.requests), ['one', 'one', 'two']);
    assert.equal(seen.text, 'From two');
    server.reply(failed, { text: 'Two again' });
    await app.ask({ ...once, model: both(name), max_retries_per_model: 0 });
    assert.deepEqual(askedFor(server.requests).slice(3), ['one', 'two']);
  });

  test('datacenter_fallback tries the next address before the next model; without it only the first', async () => {
    const [near, far] = await Promise.all([closing(openaiProvider()), closing(openaiProvider())]);
    const name = await app.account([near.url, far.url]);
    near.reply(failed);
    far.reply({ text: 'From afar' });
    const seen = await app.ask({ ...once, model: both(name) });
    assert.equal(seen.text, 'From afar');
    assert.deepEqual(comparableAttempts(seen.metadata), [
      ['one', 0, 'failed'],
      ['one', 1, 'ok'],
    ]);

    near.reply(failed, { text: 'From two' });
    const at_home = await app.ask({ ...once, model: both(name), datacenter_fallback: false });
    assert.equal(at_home.text, 'From two');
    assert.deepEqual(comparableAttempts(at_home.metadata), [
      ['one', 0, 'failed'],
      ['two', 0, 'ok'],
    ]);
    assert.equal(far.requests.length, 1);
  });

  test('timeout is the seconds one model call may take', async () => {
    // Two providers: a call that is given up before it got there would leave its answer to the next one.
    const [silent, slow] = [
      await app.provider({ text: 'Never', after: never }),
      await app.provider({ text: 'Slow', delay_ms: 1300 }),
    ];
    const late = await app.ask({ ...once, model: [`${silent.name}/one`], timeout: 1 });
    assert.match(late.error?.content ?? '', /No answer within 1 s/);
    assert.equal((await app.ask({ ...once, model: [`${slow.name}/one`], timeout: 60 })).text, 'Slow');
  });

  test('a run that fails after a step keeps the step, its attempts and what it cost', async () => {
    const call = { tool_calls: [{ name: 'clock_now', input: {} }], usage: { input: 100, output: 10 } };
    const { name } = await app.provider(call, failed);
    const seen = await app.ask({ ...once, model: [`${name}/one`] });
    assert.equal(seen.status, 'failed');
    assert.deepEqual(
      seen.parts.map(({ type }) => type),
      ['function', 'error'],
    );
    assert.deepEqual(comparableAttempts(seen.metadata), [
      ['one', 0, 'ok'],
      ['one', 0, 'failed'],
    ]);
    assert.partialDeepStrictEqual(seen.metadata.usage, { input_tokens: 100, output_tokens: 10 });
  });
});

// Runs last, when the setup is warm: the timeout counts from the beginning of the run.
test('usage_limits_agent_timeout ends the run even when retries are left', async () => {
  const { server, name } = await app.provider({
    text: 'Lost words',
    deltas: 2,
    held: { before: 'words', until: never },
  });
  const started = Date.now();
  const settings = { ...once, model: [`${name}/one`], max_retries_per_model: 5, timeout: 60 };
  const seen = await app.ask({ ...settings, usage_limits_agent_timeout: 4 });
  assert.ok(Date.now() - started < 50_000, 'before the call itself is given up');
  assert.equal(seen.status, 'failed');
  assert.deepEqual([seen.shown, seen.text], ['Lost ', 'Lost ']);
  assert.equal(seen.error?.code, 'run_timeout');
  assert.match(seen.error?.content ?? '', /usage_limits_agent_timeout/);
  assert.deepEqual(comparableAttempts(seen.metadata), [['one', 0, 'failed']]);
  assert.equal(server.requests.length, 1);
});
