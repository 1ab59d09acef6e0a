import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';

const app = await scriptedApp();

test('sends a refused parameter no more to that model, in any later run, until the account is changed', async () => {
  const { server, name } = await app.provider();
  const refusal = { status: 400, error: "Unsupported parameter: 'temperature' is not supported with this model." };
  const asks = async (model: string, settings: object = {}) => {
    const before = server.requests.length;
    const seen = await app.ask({ model: [`${name}/${model}`], temperature: 0.2, ...settings });
    assert.equal(seen.status, 'completed', JSON.stringify(seen.error));
    const { temperature, top_p } = server.last().body;
    return { requests: server.requests.length - before, temperature, top_p, warnings: seen.metadata.warnings };
  };
  const left = { temperature: undefined, top_p: 1, warnings: ['temperature was left out: one does not take it'] };
  server.reply(refusal);
  assert.deepEqual(await asks('one'), { requests: 2, ...left });
  assert.deepEqual(await asks('one'), { requests: 1, ...left });
  // The value is the default, so leaving it out needs no warning.
  assert.deepEqual((await asks('one', { temperature: 0.7 })).warnings, []);
  assert.equal((await asks('two')).temperature, 0.2, 'another model');

  const { json: providers } = await app.call('GET', '/v1/admin/providers');
  const account = (providers.items ?? providers).find((one: { name: string }) => one.name === name);
  assert.equal((await app.call('PATCH', `/v1/admin/providers/${account.id}`, { api_key: 'other' })).status, 200);
  assert.deepEqual(await asks('one'), { requests: 1, temperature: 0.2, top_p: 1, warnings: [] });
});

test('sends as many stop sequences as the server takes, with a warning, and remembers the number', async () => {
  const { server, name } = await app.provider();
  const error =
    "Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length 6 instead.";
  server.reply({ status: 400, error });
  const stop_sequences = ['1', '2', '3', '4', '5', '6'];
  for (const requests of [2, 3]) {
    const { status, metadata } = await app.ask({ model: [`${name}/one`], stop_sequences });
    assert.equal(status, 'completed');
    assert.deepEqual(server.last().body.stop, ['1', '2', '3', '4']);
    assert.deepEqual(metadata.warnings, ['stop_sequences: the first 4 of 6 were sent, one takes no more']);
    assert.equal(server.requests.length, requests);
  }
});

test('asks a model for reasoning once when its server refuses it', async () => {
  const { server, name } = await app.provider();
  server.answers = ({ reasoning_effort }) =>
    reasoning_effort ? { status: 400, error: '"one" does not support thinking' } : { text: 'Fine' };
  for (let run = 0; run < 3; run++) assert.equal((await app.ask({ model: [`${name}/one`] })).status, 'completed');
  const asked = server.requests.filter(({ body }) => 'reasoning_effort' in body);
  assert.deepEqual([asked.length, server.requests.length], [1, 4]);
});

test('does not remember a refusal that is about the schema of one request', async () => {
  const { server, name } = await app.provider();
  const { json: agent } = await app.call('POST', '/v1/agents', { name: 'A', definition: { model: [`${name}/one`] } });
  const complete = () =>
    app.call('POST', '/v1/chat/completions', {
      model: `agent:${agent.id}`,
      messages: [{ role: 'user', content: 'Hello' }],
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } },
    });
  const error = "Invalid schema for response_format 'answer': 'additionalProperties' is not permitted.";
  server.reply({ status: 400, error }, { text: '{}' });
  assert.equal((await complete()).status, 200);
  assert.equal(server.last().body.response_format, undefined);
  assert.equal((await complete()).status, 200);
  assert.equal(server.last().body.response_format.type, 'json_schema');
});

test('sends stop sequences as they are written, all of them and in their order', async () => {
  const { server, name } = await app.provider();
  const stop_sequences = ['\n\nUser:', ' END ', '</Anna Müller>', 'b', 'a', '\t', 'kim@corp.example', '###'];
  const pii_anonimization = ['EMAIL_ADDRESS', 'PERSON'];
  const seen = await app.ask({ model: [`${name}/one`], stop_sequences, pii_anonimization });
  assert.equal(seen.status, 'completed', JSON.stringify(seen.error));
  assert.deepEqual(server.last().body.stop, stop_sequences);
  assert.deepEqual(seen.metadata.warnings, []);

  const { json: agent } = await app.call('POST', '/v1/agents', { name: 'S', definition: { model: [`${name}/one`] } });
  const messages = [{ role: 'user', content: 'Hello' }];
  // Those of a client are the caller's text, which is anonymized; these have nothing private in them.
  const stop = ['\n\nUser:', ' END ', 'b', 'a', '\t', '###'];
  await app.call('POST', '/v1/chat/completions', { model: `agent:${agent.id}`, messages, stop });
  assert.deepEqual(server.last().body.stop, stop);
});
