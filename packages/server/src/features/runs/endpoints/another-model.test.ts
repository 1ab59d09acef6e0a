import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import type { MessagePart } from '../../messages/ports.ts';

const app = await scriptedApp();
const { call, query } = app;
const quiet = { max_retries_per_model: 0, top_k: 0, agent_title_mode: 'first_message' };

/** A workspace with a conversation of an agent with one model, which has answered once. */
async function answered({ settings = {}, content = 'Hello' }: { settings?: object; content?: string } = {}) {
  const { id: group_id, key: admin } = await app.workspace();
  const { server, name } = await app.provider({ text: 'First' });
  const [one, two] = [`${name}/one`, `${name}/two`];
  const definition = { ...quiet, model: [one], ...settings };
  const agent = await call('POST', '/v1/agents', { name: 'A', definition }, { key: admin });
  assert.equal(agent.status, 200, agent.text);
  const keys = `/v1/admin/groups/${group_id}/api-keys`;
  const keyWith = async (...permissions: string[]): Promise<string> =>
    (await call('POST', keys, { name: 'k', reach: 'workspace', permissions })).json.value;
  const weak = await keyWith('agents_run');
  const make = (key: string) => call('POST', `/v1/conversations?assistant_id=${agent.json.id}`, {}, { key });
  const path = `/v1/conversations/${(await make(weak)).json.id}`;
  const said = await call('POST', path, { content }, { key: weak });
  assert.equal(said.status, 200, said.text);
  const reply: string = said.json.messages.at(-1).id;
  const again = (id: string, body: unknown, key = admin) =>
    call('POST', `${path}/messages/${id}/regenerate`, body, { key });
  const look = async () => (await call('GET', path, undefined, { key: admin })).json;
  return { group_id, admin, weak, keyWith, server, one, two, path, reply, again, look };
}

const textsOf = ({ messages }: { messages: { message_parts: MessagePart[] }[] }) =>
  messages.map(({ message_parts }) => message_parts.map(({ content }) => content).join(''));

test('asks another model for one answer, and changes neither the settings nor the message', async () => {
  const { admin, server, one, two, path, reply, again, look } = await answered();
  const before = (await look()).settings;
  server.reply({ text: 'Second' }, { text: 'Third' }, { text: 'Fourth' });
  const { status, json, text } = await again(reply, { model_selection: [two] });
  assert.equal(status, 200, text);
  assert.equal(server.last().body.model, 'two');
  assert.deepEqual(textsOf(json), ['Hello', 'Second']);
  assert.equal(json.messages.at(-1).metadata.model, two);
  assert.deepEqual(json.settings, before);
  assert.equal(json.message_count, 4, 'the answer that was replaced counts');
  assert.equal('model_selection' in json.messages[0].message_parts[0], false);

  const plain = await again(json.messages.at(-1).id, {});
  assert.deepEqual([server.last().body.model, plain.json.messages.at(-1).metadata.model], ['one', one]);
  await call('POST', path, { content: 'And now?' }, { key: admin });
  assert.equal(server.last().body.model, 'one');
});

test('keeps what the message asked for when no other model is chosen', async () => {
  const { admin, server, two, path, again } = await answered();
  server.reply({ text: 'Of two' }, { text: 'Of one' }, { text: 'Of two again' });
  const { json } = await call('POST', path, { content: 'Q', model_selection: [two] }, { key: admin });
  const other = await again(json.messages.at(-1).id, { model_selection: [two.replace('/two', '/one')] });
  assert.equal(server.last().body.model, 'one');
  await again(other.json.messages.at(-1).id, { model_selection: [] });
  assert.equal(server.last().body.model, 'two');
});

test('streams the answer of another model, and ignores what a chat client sends along', async () => {
  const { admin, server, two, path, reply, look } = await answered();
  server.reply({ text: 'Streamed' });
  const sent = { model_selection: [two], messages: [], trigger: 'regenerate-message', messageId: reply };
  const { status, text } = await call('POST', `${path}/messages/${reply}/regenerate?format=ui`, sent, { key: admin });
  assert.equal(status, 200);
  assert.match(text, /eamed/);
  assert.equal(server.last().body.model, 'two');
  assert.deepEqual(textsOf(await look()), ['Hello', 'Streamed']);
});

test('refuses models that the caller may not choose or that are not configured, and keeps the answer', async () => {
  const { weak, keyWith, server, two, reply, again, look } = await answered();
  const asked = server.requests.length;
  const refused = await again(reply, { model_selection: [two] }, weak);
  assert.deepEqual([refused.status, refused.json.code], [403, 'setting_forbidden'], refused.text);
  assert.match(refused.json.detail, /model_selection needs agents_edit/);
  const reader = await keyWith('conversations_read');
  assert.equal((await again(reply, { model_selection: [two] }, reader)).status, 403);
  const { key: stranger } = await app.workspace();
  assert.equal((await again(reply, { model_selection: [two] }, stranger)).status, 404);

  const missing = await again(reply, { model_selection: ['mistral/nowhere'] });
  assert.equal(missing.status, 422, missing.text);
  const [{ loc, type, msg }] = missing.json.detail;
  assert.deepEqual([loc, type], [['body', 'model_selection'], 'model_not_configured']);
  assert.match(msg, /mistral\/nowhere.*not configured/);
  for (const model_selection of ['one', [''], [1], Array(21).fill(two)])
    assert.equal((await again(reply, { model_selection })).status, 422, JSON.stringify(model_selection));

  assert.equal(server.requests.length, asked);
  const { messages } = await look();
  assert.equal(messages.at(-1).id, reply);
  assert.equal((await query('select 1 from messages where superseded_by is not null and id = $1', [reply])).length, 0);
});

test('lets a caller that only runs agents choose among the models of the agent', async () => {
  const { weak, server, reply, again } = await answered({ settings: { model: ['preset:cost', 'atrium/extractive'] } });
  const asked = server.requests.length;
  const { status, json, text } = await again(reply, { model_selection: ['atrium/extractive'] }, weak);
  assert.equal(status, 200, text);
  assert.equal(json.messages.at(-1).metadata.model, 'atrium/extractive');
  assert.equal(server.requests.length, asked);
});

test('holds budgets, limits, locks and the anonymizer for the answer of another model', async () => {
  const settings = { pii_anonimization: ['EMAIL_ADDRESS'], pii_lock: true, usage_limits_max_messages: 6 };
  const { group_id, admin, server, two, path, reply, again } = await answered({
    settings,
    content: 'Write to ada@example.org',
  });
  const choice = { model_selection: [two] };
  server.reply({ text: 'Sent' });
  const { json } = await again(reply, choice);
  assert.equal(server.last().body.model, 'two');
  assert.doesNotMatch(JSON.stringify(server.last().body), /ada@example/);
  const { id } = json.messages.at(-1);

  const budget = await call('POST', '/v1/admin/budgets', {
    ...{ name: 'B', group_id, period: 'month', max_tokens: 1 },
  });
  assert.equal(budget.status, 200, budget.text);
  const asked = server.requests.length;
  const used = await again(id, choice);
  const { id: failed, failure } = used.json.ui_messages.at(-1);
  assert.equal(failure?.code, 'budget_reached', used.text);
  assert.equal(server.requests.length, asked);

  const full = await again(failed, choice);
  assert.deepEqual([full.status, full.json.code], [409, 'usage_limit_reached'], full.text);

  const locked = await call('POST', `${path}/lock`, { message: 'Closed.' }, { key: admin });
  assert.equal(locked.status, 200, locked.text);
  assert.equal((await again(failed, choice)).status, 423);
});
