import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { anthropicProvider } from '../../../../test/providers/anthropic-provider.ts';
import { closing, scriptedApp } from '../../../../test/support/scripted-app.ts';

const app = await scriptedApp();
const { server, name } = await app.provider();
const claude = await closing(anthropicProvider());
const claudeName = await app.account([claude.url], 'anthropic');

/** The request that the provider receives under these settings. */
async function sent(settings: object) {
  const seen = await app.ask({ model: [`${name}/one`], ...settings });
  assert.equal(seen.status, 'completed', JSON.stringify(seen.error));
  return { body: server.last().body, warnings: seen.metadata.warnings };
}

async function sentToClaude(settings: object) {
  const seen = await app.ask({ model: [`${claudeName}/one`], enable_reasoning: false, ...settings });
  assert.equal(seen.status, 'completed', JSON.stringify(seen.error));
  return { body: claude.last().body, warnings: seen.metadata.warnings };
}

suite('settings that the provider reads', () => {
  test('the numbers of a conversation are what the provider is sent', async () => {
    const { body } = await sent({
      max_tokens: 123,
      temperature: 0.3,
      top_p: 0.8,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      stop_sequences: ['END', 'STOP'],
    });
    assert.partialDeepStrictEqual(body, {
      model: 'one',
      max_tokens: 123,
      temperature: 0.3,
      top_p: 0.8,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      stop: ['END', 'STOP'],
    });
  });

  test('without settings the defaults are sent, and no stop sequences', async () => {
    const { body, warnings } = await sent({});
    assert.deepEqual([warnings, (await sentToClaude({})).warnings], [[], []], 'a warning of what nobody has set');
    assert.partialDeepStrictEqual(body, { temperature: 0.7, top_p: 1, presence_penalty: 0.3, frequency_penalty: 0.6 });
    assert.ok(!('stop' in body));
  });

  test('sends max_tokens as it was asked for when the limit of the model is not known', async () => {
    const { body, warnings } = await sent({ max_tokens: 900_000 });
    assert.deepEqual([body.max_tokens, warnings], [900_000, []]);
  });

  test('top_k goes to a provider that takes it; with another it is left out with a warning', async () => {
    const taken = await sentToClaude({ top_k: 7 });
    assert.equal(taken.body.top_k, 7);
    assert.ok(!taken.warnings.some((warning) => warning.includes('top_k')));
    const left = await sent({ top_k: 7 });
    assert.ok(!('top_k' in left.body));
    assert.deepEqual(left.warnings, ['top_k was left out: one does not take it']);
    assert.deepEqual((await sent({ top_k: 0 })).warnings, []);
  });

  test('a penalty that a provider does not know is left out with a warning', async () => {
    const { body, warnings } = await sentToClaude({ presence_penalty: 0.5, frequency_penalty: 0.5 });
    assert.ok(!('presence_penalty' in body) && !('frequency_penalty' in body));
    assert.ok(warnings.some((warning) => warning.startsWith('presence_penalty was left out')));
    assert.ok(warnings.some((warning) => warning.startsWith('frequency_penalty was left out')));
  });

  test('a setting that the server refuses is left out of the next request, with a warning', async () => {
    // Refusals are remembered for the account, so the other tests use another.
    const own = await app.provider({ status: 400, error: 'Unsupported parameter: temperature is not supported' });
    const seen = await app.ask({ model: [`${own.name}/one`], top_k: 0, temperature: 0.2 });
    assert.ok(!('temperature' in own.server.last().body));
    assert.deepEqual(seen.metadata.warnings, ['temperature was left out: one does not take it']);
  });

  test('a parameter_preset replaces the sampling numbers and nothing else', async () => {
    const own = { temperature: 0.5, top_p: 0.5, presence_penalty: 0.5, frequency_penalty: 0.5, max_tokens: 77 };
    const sampling = async (parameter_preset: string) => {
      const { temperature, top_p, presence_penalty, frequency_penalty, max_tokens } = (
        await sent({ ...own, parameter_preset })
      ).body;
      return [temperature, top_p, presence_penalty, frequency_penalty, max_tokens];
    };
    assert.deepEqual(await sampling('default'), [0.5, 0.5, 0.5, 0.5, 77]);
    assert.deepEqual(await sampling('precise'), [0.1, 0.9, 0, 0, 77]);
    assert.deepEqual(await sampling('balanced'), [0.7, 1, 0, 0, 77]);
    assert.deepEqual(await sampling('creative'), [1.1, 1, 0.4, 0.4, 77]);
  });

  test('reasoning is asked for with its effort, and not at all when it is off', async () => {
    for (const effort of ['Low', 'Medium', 'High'])
      assert.equal((await sent({ reasoning_effort: effort })).body.reasoning_effort, effort.toLowerCase());
    assert.ok(!('reasoning_effort' in (await sent({ enable_reasoning: false, reasoning_effort: 'High' })).body));
  });

  test('thoughts are stored apart from the text', async () => {
    server.reply({ reasoning: 'Let me see', text: 'Four' });
    const seen = await app.ask({ model: [`${name}/one`] });
    assert.deepEqual(
      seen.parts.map(({ type, content }) => [type, content]),
      [
        ['reasoning', 'Let me see'],
        ['text', 'Four'],
      ],
    );
  });

  test('enable_prompt_caching marks the instructions and the newest message for the cache', async () => {
    const marked = (value: unknown) => JSON.stringify(value).includes('"cache_control":{"type":"ephemeral"}');
    const { body } = await sentToClaude({ persona: 'A pirate' });
    assert.ok(marked(body.system) && marked(body.messages.at(-1)));
    assert.ok(!marked((await sentToClaude({ persona: 'A pirate', enable_prompt_caching: false })).body));
  });

  test('settings of the conversation come before those of the agent, and those before the defaults', async () => {
    const definition = { model: [`${name}/one`], temperature: 0.2, max_tokens: 55 };
    const { json: agent } = await app.call('POST', '/v1/agents', { name: 'tuned', definition });
    await app.say(await app.converse({}, `?assistant_id=${agent.id}`));
    assert.partialDeepStrictEqual(server.last().body, { temperature: 0.2, max_tokens: 55, top_p: 1 });
    await app.say(await app.converse({ temperature: 0.9 }, `?assistant_id=${agent.id}`));
    assert.partialDeepStrictEqual(server.last().body, { temperature: 0.9, max_tokens: 55 });
  });
});
