import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { scriptedApp } from '../../../test/support/scripted-app.ts';

const app = await scriptedApp();
const { server, name } = await app.provider();
const settings = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0 };
const clock = { tool_calls: [{ name: 'clock_now', input: {} }] };
const used = async (id: string) =>
  Number((await app.query('select tokens_used from conversations where id = $1', [id]))[0].tokens_used);

test('usage_limits_maximum_request is the most model calls of a run; the next one is not made', async () => {
  const from = server.requests.length;
  server.reply(clock, clock);
  const seen = await app.ask({ ...settings, usage_limits_maximum_request: 2 });
  assert.equal(server.requests.length - from, 2);
  assert.equal(seen.status, 'failed');
  assert.equal(seen.error?.code, 'usage_limit_reached');
  assert.match(seen.error?.content ?? '', /2 model calls that usage_limits_maximum_request allows/);
  const again = await app.say(seen.id, 'SAY A new run counts anew');
  assert.equal(again.text, 'A new run counts anew');
});

test('usage_limits_maximum_tokens grants a call no more than is left', async () => {
  const id = await app.converse({ ...settings, usage_limits_maximum_tokens: 3000, max_tokens: 2900 });
  server.reply({ text: 'Hi', usage: { input: 400, output: 100 } });
  await app.say(id);
  const first: number = server.last().body.max_tokens;
  assert.ok(first < 3000);
  await app.say(id);
  const second: number = server.last().body.max_tokens;
  assert.ok(second <= 2500 && second < first, `${second} of 2500`);
});

test('keeps what was read of a reply that usage_limits_maximum_tokens cut short, and says that it failed', async () => {
  server.reply({ text: 'Half a sen', finish: 'length', usage: { input: 100, output: 850 } });
  const seen = await app.ask({ ...settings, usage_limits_maximum_tokens: 1000 });
  assert.deepEqual([seen.status, seen.error?.code, seen.text], ['failed', 'usage_limit_reached', 'Half a sen']);
  assert.equal(seen.shown, 'Half a sen');
  assert.equal(await used(seen.id), 950);
});

test('a reply that the model’s own max_tokens cut short is kept', async () => {
  server.reply({ text: 'Half a sen', finish: 'length' });
  const seen = await app.ask({ ...settings, max_tokens: 20 });
  assert.deepEqual([seen.status, seen.text], ['completed', 'Half a sen']);
});

test('when usage_limits_maximum_tokens is used up the provider is not asked', async () => {
  const id = await app.converse({ ...settings, usage_limits_maximum_tokens: 1000 });
  server.reply({ text: 'Long', usage: { input: 500, output: 480 } });
  assert.equal((await app.say(id)).text, 'Long');
  const from = server.requests.length;
  const answer = await app.call('POST', `/v1/conversations/${id}`, { content: 'More' });
  assert.match(answer.text, /usage_limit_reached/);
  assert.match(answer.text, /usage_limits_maximum_tokens/);
  assert.equal(server.requests.length, from);
  assert.ok((await used(id)) <= 1000);
});

test('usage_limits_max_messages refuses the next message with 409 and stores nothing of it', async () => {
  const id = await app.converse({ ...settings, usage_limits_max_messages: 2 });
  await app.say(id);
  const refused = await app.call('POST', `/v1/conversations/${id}`, { content: 'One more' });
  assert.deepEqual([refused.status, refused.json.code], [409, 'usage_limit_reached']);
  assert.match(refused.json.detail, /limit of 2 messages/);
  const { json } = await app.call('GET', `/v1/conversations/${id}`);
  assert.deepEqual([json.messages.length, json.status], [2, 'completed']);
});

test('usage_limits_max_messages holds when 64 clients get in line at once: exactly as many get through', async () => {
  const id = await app.converse({ ...settings, usage_limits_max_messages: 10 });
  const send = () => app.call('POST', `/v1/conversations/${id}/chat?if_running=enqueue`, { content: 'Me too' });
  const answers = await Promise.all(Array.from({ length: 64 }, send));
  const taken = answers.filter(({ status }) => status === 200);
  assert.equal(taken.length, 5);
  for (const { status, json } of answers)
    if (status !== 200) assert.deepEqual([status, json.code], [409, 'usage_limit_reached']);
  for (let look = 0; look < 3000; look++) {
    const [{ count }] = await app.query(
      'select count(*)::int as count from runs where conversation_id = $1 and finished_at is null',
      [id],
    );
    if (count === 0) break;
    await sleep(10);
  }
  const { json } = await app.call('GET', `/v1/conversations/${id}`);
  assert.deepEqual([json.messages.length, json.status], [10, 'completed']);
});

test('a message that does not fit what is left of the tokens is refused with 409 and not stored', async () => {
  const id = await app.converse({ ...settings, usage_limits_maximum_tokens: 1500 });
  const refused = await app.call('POST', `/v1/conversations/${id}`, { content: 'word '.repeat(2000) });
  assert.deepEqual([refused.status, refused.json.code], [409, 'usage_limit_reached']);
  assert.match(refused.json.detail, /usage_limits_maximum_tokens/);
  const { json } = await app.call('GET', `/v1/conversations/${id}`);
  assert.deepEqual([json.messages.length, json.status], [0, 'queued']);
});

test('edits and further answers count as messages: what they replace was said', async () => {
  const id = await app.converse({ ...settings, usage_limits_max_messages: 4 });
  const { conversation } = await app.say(id);
  const [said, reply] = conversation.messages;
  const again = await app.call('POST', `/v1/conversations/${id}/messages/${reply.id}/regenerate`, {});
  assert.equal(again.status, 200, again.text);
  const { json } = await app.call('GET', `/v1/conversations/${id}`);
  const path = `/v1/conversations/${id}/messages/${json.messages[0].id}/edit`;
  const refused = await app.call('POST', path, { content: 'Otherwise' });
  assert.deepEqual([refused.status, refused.json.code], [409, 'usage_limit_reached']);
  assert.ok(said);
});
