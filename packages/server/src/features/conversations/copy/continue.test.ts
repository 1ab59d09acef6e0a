import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { as, makePeopleIn } from '../../people/testing.ts';
import { textsOf } from '../testing.ts';

const testing = await scriptedApp();
const { call, query } = testing;
const { server, name } = await testing.provider();
const people = await makePeopleIn(testing);
const ada = await people.aMember('Reader');
const bo = await people.aMember('Reader');
const mine = as(ada.cookie);
const definition = { model: [`${name}/one`], max_retries_per_model: 0, agent_title_mode: 'first_message' };
const agent = (await call('POST', '/v1/agents', { name: 'Desk', definition })).json;

async function begin(settings: object = {}) {
  const { json } = await call(
    'POST',
    `/v1/conversations?assistant_id=${agent.id}`,
    { name: 'Leave', settings: { usage_limits_max_messages: 2, ...settings } },
    mine,
  );
  server.reply({ text: 'Leave is counted in weeks.' });
  const asked = await call('POST', `/v1/conversations/${json.id}`, { content: 'How is leave counted?' }, mine);
  assert.equal(asked.status, 200, asked.text);
  return json as { id: string; assistant_version_id: string };
}
const summarize = (id: string, by: object = mine) => call('POST', `/v1/conversations/${id}/summarize`, undefined, by);
const goOn = (id: string, body: object, by: object = mine) =>
  call('POST', `/v1/conversations/${id}/continue`, body, by);

test('goes on in a new conversation with a summary of one that is full, which its model reads', async () => {
  const full = await begin();
  const refused = await call('POST', `/v1/conversations/${full.id}`, { content: 'And for interns?' }, mine);
  assert.deepEqual([refused.status, refused.json.code], [409, 'usage_limit_reached']);
  server.reply({ text: '- Leave is counted in weeks' });
  const told = await summarize(full.id);
  assert.deepEqual([told.status, told.json], [200, { summary: '- Leave is counted in weeks', written_by: 'model' }]);
  assert.ok(JSON.stringify(server.last().body).includes('How is leave counted?'));
  const [{ tokens_used }] = await query('select tokens_used::int from conversations where id = $1', [full.id]);

  await query("update conversations set brought = '{untrusted}' where id = $1", [full.id]);
  const made = await goOn(full.id, { summary: '- Leave is counted in weeks, not in days' });
  assert.equal(made.status, 200, made.text);
  assert.deepEqual(
    [made.json.assistant_id, made.json.assistant_version_id, made.json.created_by],
    [agent.id, full.assistant_version_id, ada.id],
  );
  const [row] = await query('select brought, tokens_used::int, message_count from conversations where id = $1', [
    made.json.id,
  ]);
  assert.deepEqual([row.brought, row.tokens_used, row.message_count], [['untrusted'], 0, 1]);
  assert.ok(tokens_used > 0);
  const { json } = await call('GET', `/v1/conversations/${made.json.id}/messages?format=ui`, undefined, mine);
  assert.deepEqual(
    [json.items[0].role, json.items[0].parts[0].text],
    ['system', '- Leave is counted in weeks, not in days'],
  );

  server.reply({ text: 'The same for interns.' });
  const next = await call('POST', `/v1/conversations/${made.json.id}/chat`, { content: 'And for interns?' }, mine);
  assert.equal(next.status, 200, next.text);
  assert.match(JSON.stringify(server.last().body.messages), /Summary of an earlier conversation.*not in days/);
});

test('begins empty without a summary, and takes nothing over of what was read', async () => {
  const full = await begin();
  await query("update conversations set brought = '{untrusted}' where id = $1", [full.id]);
  const { json } = await goOn(full.id, {});
  assert.deepEqual(json.messages, []);
  const [row] = await query('select brought from conversations where id = $1', [json.id]);
  assert.deepEqual(row.brought, []);
});

test('gives the last questions with their answers where no model can be asked', async () => {
  const full = await begin();
  server.reply({ status: 400, error: 'No' });
  assert.deepEqual((await summarize(full.id)).json, {
    summary: '- How is leave counted? → Leave is counted in weeks.',
    written_by: 'excerpt',
  });
  const [{ count }] = await query('select message_count as count from conversations where id = $1', [full.id]);
  assert.equal(count, 2, 'nothing is stored');
});

test('neither shows nor continues a conversation of another person, or one that is locked', async () => {
  const full = await begin();
  for (const ask of [summarize(full.id, as(bo.cookie)), goOn(full.id, { summary: 'x' }, as(bo.cookie))])
    assert.equal((await ask).status, 404);
  await call('POST', `/v1/conversations/${full.id}/lock`, {});
  assert.deepEqual([(await summarize(full.id)).status, (await goOn(full.id, {})).status], [423, 423]);
});

test('leaves answers out of a summary, and hides them in a copy, whose documents the caller may not read', async () => {
  const full = await begin();
  const { json } = await call('GET', `/v1/conversations/${full.id}`, undefined, mine);
  const [, answer] = json.messages;
  await query('insert into run_rights (workspace_id, run_id, rights_id) values ($1, $2, 1)', [
    json.group_id,
    answer.metadata.run_id,
  ]);
  const permissions = ['agents_run', 'conversations_read', 'conversations_edit'];
  const { json: made } = await call('POST', `/v1/admin/groups/${people.home}/api-keys`, { name: 'Key', permissions });
  const key = { key: made.value };
  server.reply({ text: '- Leave' });
  assert.equal((await summarize(full.id, key)).json.written_by, 'model');
  assert.ok(!JSON.stringify(server.last().body).includes('counted in weeks'));
  server.reply({ status: 400, error: 'No' });
  assert.equal((await summarize(full.id, key)).json.summary, '- How is leave counted?');
  server.reply({ status: 400, error: 'No' });
  assert.match((await summarize(full.id)).json.summary, /counted in weeks/);

  const copyOf = async (by: object) => {
    const copied = await call('POST', `/v1/conversations/${full.id}/messages/${answer.id}/copy`, {}, by);
    assert.equal(copied.status, 200, copied.text);
    const { restricted_answers } = (await call('GET', `/v1/conversations/${copied.json.id}/shares`)).json;
    return [...textsOf(copied.json.messages), restricted_answers];
  };
  assert.match(String(await copyOf(key)), /^How is leave counted\?,This answer is hidden.*,0$/);
  assert.match(String(await copyOf(mine)), /counted in weeks\.,1$/);
});

test('checks the summary like a message of a user, and leaves refused messages out of an excerpt', async () => {
  const read: string[] = [];
  server.answers = (body: { response_format?: unknown; messages: unknown }) => {
    const text = JSON.stringify(body.messages);
    if (!body.response_format) return void read.push(text);
    const severity = text.includes('SECRETLY') ? 'severe' : 'none';
    return { text: JSON.stringify({ flagged: severity !== 'none', severity, reason: 'As graded' }) };
  };
  const strict = { toxicity: 'High', guardrail_action: 'fail', usage_limits_max_messages: 20 };
  const full = await begin(strict);
  const say = (id: string, content: string) => call('POST', `/v1/conversations/${id}`, { content }, mine);
  const bad = await goOn(full.id, { summary: '- SECRETLY bad' });
  for (const content of ['Hello', 'Hello again']) {
    server.reply({ text: 'Hi.' });
    await say(bad.json.id, content);
  }
  assert.ok(!read.some((text) => text.includes('SECRETLY')), 'in no run');
  const good = await goOn(full.id, { summary: '- Leave' });
  assert.match((await say(good.json.id, 'Hello')).text, /"completed"/);
  assert.match(String(read.at(-1)), /- Leave/);

  await say(full.id, 'SECRETLY → this is bad');
  await say(full.id, 'Weeks → days?');
  server.reply({ status: 400, error: 'No' });
  assert.deepEqual((await summarize(full.id)).json, {
    summary: '- How is leave counted? → Leave is counted in weeks.\n- Weeks → days? → Hi.',
    written_by: 'excerpt',
  });
  server.answers = undefined;
});

test('with four eyes, those who wrote in the conversation before do not decide in one that goes on with it', async () => {
  const tools = [{ type: 'clock', requires_approval: true }];
  const careful = { model: ['atrium/extractive'], tools, four_eyes: true, pii_anonimization: [] };
  const { json: clock } = await call('POST', '/v1/agents', { name: 'Clock', definition: careful });
  const [writer, other] = [await people.aMember('Admin'), await people.aMember('Admin')];
  const { json: old } = await call('POST', `/v1/conversations?assistant_id=${clock.id}`, {}, mine);
  const said = await call('POST', `/v1/conversations/${old.id}`, { content: 'Look at the clock' }, as(writer.cookie));
  assert.equal(said.status, 200, said.text);
  const { messages } = (await call('GET', `/v1/conversations/${old.id}`, undefined, mine)).json;
  const last = `/v1/conversations/${old.id}/messages/${messages.at(-1).id}`;
  for (const made of [await goOn(old.id, { summary: '- Clock' }), await call('POST', `${last}/copy`, {}, mine)]) {
    assert.equal(made.status, 200, made.text);
    const path = `/v1/conversations/${made.json.id}`;
    const asked = await call('POST', path, { content: 'Now', tool: 'clock_now' }, mine);
    assert.equal(asked.json.status, 'awaiting_human_feedback', asked.text);
    const [{ id }] = (await call('GET', `${path}/approvals`)).json.items;
    const decide = (by: { cookie: string }) =>
      call('POST', `${path}/approvals/${id}`, { decision: 'approve' }, as(by.cookie));
    assert.equal((await decide(writer)).json.code, 'four_eyes');
    assert.equal((await decide(other)).status, 200);
  }
});
