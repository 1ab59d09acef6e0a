import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestServer } from './testing.ts';

const { talk, post, call, request, place, ...server } = await openTestServer({ providers: [] });
const advice = /OPENAI_API_KEY|OPENAI_BASE_URL|admin\/providers|ATRIUM_|\bconfigure\b|extractive|operator/i;
const preset = { model: ['preset:balanced'], hide_error_banners: false, transport_show_tool_calls: true };
const formats = ['', '?format=ui', '?format=vercel', '?format=json'];

const weak = await (async () => {
  const body = { name: 'weak', permissions: ['agents_run'] };
  const made = await call('POST', `/v1/admin/groups/${place.id}/api-keys`, body, { key: server.admin });
  // It speaks in conversations that another key began, as only keys from before records had owners do.
  await server.query("update api_keys set reach = 'workspace' where id = $1", [made.json.id]);
  return made.json.value as string;
})();

/** A conversation with a link, and the requests of a guest who holds it. */
async function share(settings: object) {
  const path = await talk(settings);
  const { json } = await post(`${path}/share`, {});
  const at = `/v1/public/conversations/${json.public_access_token}`;
  const guest = async (method: string, sub: string, body?: object) =>
    (
      await request(`${at}${sub}`, {
        ...{ method, key: '' },
        ...(body && { body }),
      })
    ).text();
  return { path, guest };
}

const questions = ['Hi', 'Who are you?', 'What is a heron?', '?!'];

test('guests of a link get no advice for the operator from the built-in model, live and on reload', async () => {
  const { path, guest } = await share({ ...preset, base_tools: [{ type: 'web_research', enabled: true }] });
  for (const content of questions)
    for (const format of formats) {
      const bytes = await guest('POST', `/stream${format}`, { content });
      assert.match(bytes, /Hello|search|I found|nothing|answer/, bytes);
      assert.doesNotMatch(bytes, advice);
    }
  assert.doesNotMatch(await guest('GET', ''), advice);
  const { json } = await call('GET', path);
  assert.match(JSON.stringify(json.ui_messages), /OPENAI_API_KEY/, 'the operator reads the advice');
});

test('guests of a link get no advice that the operator got before sharing it', async () => {
  const path = await talk(preset);
  const { json } = await post(path, { content: 'What is a heron?' });
  assert.match(JSON.stringify(json.messages), /OPENAI_API_KEY/);
  const shared = await post(`${path}/share`, {});
  const { text } = await call('GET', `/v1/public/conversations/${shared.json.public_access_token}`);
  assert.match(text, /found nothing about this/);
  assert.doesNotMatch(text, advice);
});

test('guests of a link get neutral words when no model is configured', async () => {
  const { guest, path } = await share({ ...preset, model: ['gpt-4o'] });
  for (const format of formats) {
    const bytes = await guest('POST', `/stream${format}`, { content: 'Hi' });
    assert.match(bytes, /The agent could not answer/);
    assert.doesNotMatch(bytes, advice);
  }
  assert.doesNotMatch(await guest('GET', ''), advice);
  assert.match((await call('GET', path)).text, /OPENAI_API_KEY/);
});

test('a key that can only run agents gets the answer without the advice, on every path', async () => {
  const path = await talk(preset);
  const as = { key: weak };
  const texts = [
    (await post(path, { content: 'Hi' }, as)).json.messages,
    (await post(`${path}/chat`, { content: 'What is a heron?' }, as)).json,
    await (await server.open(`${path}/stream`, { method: 'POST', body: { content: 'Hi' }, ...as })).whole(),
    await (await server.open(`${path}/stream?format=ui`, { method: 'POST', body: { content: 'Hi' }, ...as })).whole(),
    (await call('GET', path, undefined, as)).json.ui_messages,
    (await call('GET', `${path}/messages`, undefined, as)).json,
    await (await request(`${path}/export`, as)).text(),
  ].map((value) => JSON.stringify(value));
  for (const text of texts) {
    assert.match(text, /Hello|I found/);
    assert.doesNotMatch(text, /OPENAI_API_KEY|admin\/providers/);
  }
});

test('an administrator gets the advice in messages, /chat, streams and on reload', async () => {
  const path = await talk(preset);
  const chat = await post(`${path}/chat`, { content: 'What is a heron?' });
  assert.match(chat.json.parts.at(-1).parts.at(-1).content, /^I found nothing[\s\S]*\n\n[\s\S]*OPENAI_API_KEY/);
  const { json } = await post(path, { content: 'Hi' });
  assert.match(JSON.stringify(json.messages.at(-1)), /"advice":true/);
  const bytes = await (await server.stream(path, 'Hi', 'ui')).whole();
  assert.match(bytes, /OPENAI_API_KEY/);
  assert.match(JSON.stringify((await call('GET', path)).json.ui_messages), /OPENAI_API_KEY/);
});

test('a completion of the built-in model has no advice', async () => {
  const { json: agent } = await call('POST', '/v1/agents', { name: 'Herons', definition: preset });
  const body = { model: `agent:${agent.id}`, messages: [{ role: 'user', content: 'What is a heron?' }] };
  const { json } = await call('POST', '/v1/chat/completions', body);
  assert.match(json.choices[0].message.content, /^I found nothing about this/);
  assert.doesNotMatch(json.choices[0].message.content, advice);
});
