import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hear, type Json, type ScriptedProvider, sampleModelRequest, weather } from './conformance-support.ts';
import { type Model, ModelError } from './driver.ts';

/** Where a provider's requests have the common settings. */
export interface Wire {
  settings(body: Json): Json;
  system(body: Json): string;
  toolNames(body: Json): string[];
  /** The result of the last tool call, as the model sees it. */
  toolResult(body: Json): string;
}

const rejects = (promise: Promise<unknown>, expected: Partial<ModelError>, message?: RegExp) =>
  assert.rejects(promise, (error: unknown) => {
    assert.ok(error instanceof ModelError, String(error));
    const { status, retry_after_ms } = error;
    assert.deepEqual({ status, retry_after_ms }, { status: undefined, retry_after_ms: undefined, ...expected });
    if (message) assert.match(error.message, message);
    return true;
  });

/** The tests that the language models of every provider must pass. */
export function modelConformance(
  name: string,
  start: () => Promise<ScriptedProvider>,
  make: (url: string, api_key: string) => Model,
  wire: Wire,
): void {
  const secret = 'sk-test-0123456789-very-secret';

  suite(`model: ${name}`, () => {
    let provider: ScriptedProvider;
    let model: Model;
    before(async () => {
      provider = await start();
      model = make(provider.url, secret);
    });
    after(() => provider.close());

    test('a text comes in pieces and ends with its usage', async () => {
      const usage = { input: 100, cached: 40, output: 20 };
      provider.reply({ text: 'Grüße, 世界 👋 and more', deltas: 7, usage });
      const { text, parts, finish } = await hear(model, sampleModelRequest());
      assert.equal(text, 'Grüße, 世界 👋 and more');
      assert.ok(parts.filter(({ type }) => type === 'text').length >= 7);
      assert.partialDeepStrictEqual(finish, {
        reason: 'stop',
        usage: { input_tokens: 100, cached_tokens: 40, output_tokens: 20 },
      });
      assert.equal(parts.at(-1), finish);
    });

    test('bytes that come one by one, cut inside a character, make the same text', async () => {
      provider.reply({ text: 'Grüße, 世界 👋', trickle: 3 });
      assert.equal((await hear(model, sampleModelRequest())).text, 'Grüße, 世界 👋');
    });

    test('separates reasoning from the answer', async () => {
      provider.reply({ reasoning: 'First I think.', text: 'Then I say.' });
      const { text, reasoning } = await hear(model, sampleModelRequest({ reasoning: 'low' }));
      assert.deepEqual([reasoning, text], ['First I think.', 'Then I say.']);
    });

    test('several tool calls come whole, with their input parsed', async () => {
      const tool_calls = [
        { id: 'a', name: 'weather', input: { city: 'Oslo' } },
        { id: 'b', name: 'weather', input: { city: 'Łódź "x"' } },
      ];
      provider.reply({ text: 'Let me look.', tool_calls });
      const { calls, finish } = await hear(model, sampleModelRequest({ tools: [weather] }));
      assert.deepEqual(
        calls,
        tool_calls.map((call) => ({ type: 'tool-call', ...call })),
      );
      assert.equal(finish?.type === 'finish' && finish.reason, 'tool-calls');
      assert.deepEqual(wire.toolNames(provider.last().body), ['weather']);
    });

    test('arguments that are no JSON stay text, and none at all are an empty object', async () => {
      provider.reply({
        tool_calls: [
          { id: 'a', name: 'weather', input: '{"city": ' },
          { id: 'b', name: 'weather', input: '' },
        ],
      });
      const { calls } = await hear(model, sampleModelRequest({ tools: [weather] }));
      assert.deepEqual(
        calls.map(({ input }) => input),
        ['{"city": ', {}],
      );
    });

    test('the results of tools go back to the model, also of a call that it got wrong', async () => {
      for (const input of [{ city: 'Oslo' }, '{"city": ']) {
        provider.reply({ text: 'It rains.' });
        await hear(
          model,
          sampleModelRequest({
            tools: [weather],
            messages: [
              { role: 'user', parts: [{ type: 'text', text: 'Weather?' }] },
              { role: 'assistant', parts: [{ type: 'tool-call', id: 'a1', name: 'weather', input }] },
              { role: 'tool', results: [{ id: 'a1', name: 'weather', output: 'rain, 7°', is_error: false }] },
            ],
          }),
        );
        assert.equal(wire.toolResult(provider.last().body), 'rain, 7°');
      }
    });

    test('thoughts before a tool call go back with its result, as the provider wants them', async () => {
      provider.reply({
        reasoning: 'I should look.',
        tool_calls: [{ id: 'c1', name: 'weather', input: { city: 'Rome' } }],
      });
      const messages = sampleModelRequest().messages;
      await hear(model, sampleModelRequest({ reasoning: 'low', tools: [weather] }));
      provider.reply({ text: 'Sunny.' });
      await hear(
        model,
        sampleModelRequest({
          reasoning: 'low',
          tools: [weather],
          messages: [
            ...messages,
            { role: 'assistant', parts: [{ type: 'tool-call', id: 'c1', name: 'weather', input: { city: 'Rome' } }] },
            { role: 'tool', results: [{ id: 'c1', name: 'weather', output: 'sun', is_error: false }] },
          ],
        }),
      );
      assert.match(JSON.stringify(provider.last().body), /I should look\.|sealed thoughts/);
    });

    test('reports why the answer ended', async () => {
      for (const finish of ['length', 'content-filter'] as const) {
        provider.reply({ text: 'cut', finish });
        const heard = await hear(model, sampleModelRequest());
        assert.equal(heard.finish?.type === 'finish' && heard.finish.reason, finish);
      }
    });

    test('instructions, limits and sampling numbers are sent', async () => {
      await hear(model, sampleModelRequest());
      const { body, headers } = provider.last();
      assert.deepEqual(wire.settings(body), { max_tokens: 321, temperature: 0.6, top_p: 0.9 });
      assert.equal(wire.system(body), 'Be brief.');
      assert.ok(JSON.stringify(headers).includes(secret), 'the key is sent');
    });

    test('an image goes as an image, a text file as its text', async () => {
      const file = (media_type: string, data: Uint8Array) => ({
        type: 'file' as const,
        filename: 'a.bin',
        media_type,
        data,
      });
      const parts = [file('image/png', Uint8Array.of(1, 2, 3, 250)), file('text/csv', Buffer.from('x;y'))];
      await hear(model, sampleModelRequest({ messages: [{ role: 'user', parts }] }));
      const sent = JSON.stringify(provider.last().body);
      assert.match(sent, /AQID\+g==/);
      assert.match(sent, /a\.bin:\\nx;y/);
    });

    test('a stop closes the connection, while it waits and while it reads', { timeout: 60_000 }, async () => {
      const never = new Promise<never>(() => {});
      for (const reply of [{ after: never }, { text: 'ab', deltas: 2, held: { before: '"b"', until: never } }]) {
        const count = provider.requests.length;
        provider.reply(reply);
        const stop = new AbortController();
        const heard: string[] = [];
        const hearing = (async () => {
          for await (const part of model.stream(sampleModelRequest(), stop.signal))
            if (part.type === 'text') heard.push(part.text);
        })();
        const stopped = assert.rejects(hearing, /stopped by the user/);
        while (provider.requests.length === count || heard.join('') !== (reply.text ? 'a' : '')) await sleep(5);
        stop.abort(new Error('stopped by the user'));
        await stopped;
        const request = provider.last();
        await request.done;
        assert.ok(request.closed_early);
      }
    });

    test('closes the connection when the reader stops early', async () => {
      provider.reply({ text: 'x'.repeat(50), deltas: 50, chunk_delay_ms: 50 });
      for await (const part of model.stream(sampleModelRequest(), new AbortController().signal))
        if (part.type === 'text') break;
      await provider.last().done;
      assert.ok(provider.last().closed_early);
    });

    for (const [status, retry] of [
      [400, undefined],
      [401, undefined],
      [429, { 'retry-after': '7' }],
      [503, { 'retry-after-ms': '1500' }],
      [500, undefined],
    ] as const)
      test(`an answer ${status} is an error with its status and words, without the key`, async () => {
        const count = provider.requests.length;
        provider.reply({ status, error: `No:\n  ${secret} is bad`, ...(retry && { headers: retry }) });
        const expected = retry ? { retry_after_ms: 'retry-after' in retry ? 7000 : 1500 } : {};
        await rejects(
          hear(model, sampleModelRequest()),
          { status, ...expected },
          new RegExp(`${status}: No: \\*\\*\\* is bad`),
        );
        assert.equal(provider.requests.length, count + 1, 'it is not tried again here');
      });

    test('a broken connection is an error without a status', async () => {
      provider.reply({ text: 'a text that never ends', deltas: 9, drop_after: 5 });
      await rejects(hear(model, sampleModelRequest()), {}, /broke off/);
    });

    test('a chunk that is no JSON is an error without a status', async () => {
      provider.reply({ text: 'a text', malformed_at: 3 });
      await rejects(hear(model, sampleModelRequest()), {}, /could not be read/);
    });

    test('an unreachable address is an error without a status', async () => {
      await rejects(hear(make('http://127.0.0.1:9/v1', secret), sampleModelRequest()), {}, /could not be reached/);
    });
  });
}
