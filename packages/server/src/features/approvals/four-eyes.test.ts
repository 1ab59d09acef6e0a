import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { z } from 'zod';
import type { Reply } from '../../../test/providers/scripted-server.ts';
import { makeAccountKey } from '../../../test/support/account-key.ts';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { cookieOf, as as inSession, makePeopleIn } from '../people/testing.ts';
import { defineTool } from '../tools/service.ts';

const sent: string[] = [];
const mail = defineTool({
  tool: 'mail_send',
  description: 'Sends a mail',
  input: z.object({ to: z.string() }),
  output: z.object({ sent: z.boolean() }),
  repeatable: false,
  run: async (_, { to }) => {
    sent.push(to);
    return { sent: true };
  },
});

const app = await scriptedApp({ roles: ['http', 'worker'] }, { tools: [mail] });
const { call } = app;
const asking = { tools: [{ type: 'mail', requires_approval: true }] };
const { json: me } = await call('GET', '/v1/admin/me');
const keysAt = `/v1/admin/groups/${me.group_id}/api-keys`;

interface Key {
  id: string;
  value: string;
}
const aKey = (title: string, ...permissions: string[]): Promise<Key> =>
  makeAccountKey(app, me.group_id, ['agents_run', ...permissions], title);
const rotate = async ({ id }: Key): Promise<Key> =>
  (await call('POST', `${keysAt}/${id}/rotate`, { overlap_seconds: 600 })).json;
const as = ({ value: key }: Key) => ({ key });

const send = { tool_calls: [{ id: 'c', name: 'mail_send', input: { to: 'ada@example.org' } }] };

/** What a conversation asks people now. */
async function asked(id: string) {
  const { json } = await call('GET', `/v1/conversations/${id}/approvals?status=pending`);
  assert.equal(json.items.length, 1, 'one call waits');
  return json.items[0] as { id: string; four_eyes: boolean };
}
const decide = (id: string, approval: string, by: Key, decision = 'approve') =>
  call('POST', `/v1/conversations/${id}/approvals/${approval}`, { decision }, as(by));
const over = (id: string) =>
  until('the conversation is over', async () => {
    const seen = await app.stored(id);
    return seen.status === 'completed' ? seen : undefined;
  });

/** Settings with a model that gives these replies. */
async function withModel(settings: object, ...replies: Reply[]) {
  const { name } = await app.provider(...replies);
  return { model: [`${name}/one`], max_retries_per_model: 0, pii_anonimization: [], ...settings };
}

/** A conversation in which this key had the agent ask for a mail. */
async function askedBy(by: Key, settings: object) {
  const id = await app.converse(await withModel(settings, send, { text: 'Done.' }));
  const paused = await call('POST', `/v1/conversations/${id}`, { content: 'Write to Ada' }, as(by));
  assert.equal(paused.json.status, 'awaiting_human_feedback');
  return { id, approval: await asked(id) };
}

suite('four eyes', () => {
  test('four_eyes refuses the approval of the key that sent the message, by any of its values', async () => {
    const [sender, other] = [await aKey('sender'), await aKey('other')];
    const { id, approval } = await askedBy(sender, { ...asking, four_eyes: true });
    assert.equal(approval.four_eyes, true);
    sent.length = 0;
    for (const decision of ['approve', 'reject']) {
      const refused = await decide(id, approval.id, sender, decision);
      assert.deepEqual([refused.status, refused.json.code], [403, 'four_eyes'], decision);
      assert.match(refused.text, /four_eyes asks for the decision of another one/);
    }
    let rotated = sender;
    for (let time = 0; time < 2; time++) {
      rotated = await rotate(rotated);
      assert.equal((await decide(id, approval.id, rotated)).status, 403, 'another value is not another person');
    }
    assert.deepEqual([(await asked(id)).id, sent], [approval.id, []], 'it stays open');
    assert.equal((await decide(id, approval.id, other)).status, 200);
    assert.equal((await over(id)).text, 'Done.');
    assert.deepEqual(sent, ['ada@example.org']);
  });

  test('four_eyes refuses the approval of the person who sent the message, from any of their sessions', async () => {
    const people = await makePeopleIn(app);
    const [sender, other] = [await people.aMember('Admin'), await people.aMember('Admin')];
    const id = await app.converse(await withModel({ ...asking, four_eyes: true }, send, { text: 'Done.' }));
    await call('POST', `/v1/conversations/${id}`, { content: 'Write to Ada' }, inSession(sender.cookie));
    const approval = await asked(id);
    const approve = (cookie: string) =>
      call('POST', `/v1/conversations/${id}/approvals/${approval.id}`, { decision: 'approve' }, inSession(cookie));
    for (const cookie of [sender.cookie, cookieOf(await people.signIn(sender.email))])
      assert.equal((await approve(cookie)).json.code, 'four_eyes');
    assert.equal((await approve(other.cookie)).status, 200);
    assert.equal((await over(id)).text, 'Done.');
  });

  test('four_eyes holds for answers that come with a chat stream, and is shown in the list of all approvals', async () => {
    const [sender, other] = [await aKey('sender'), await aKey('other')];
    const { id, approval } = await askedBy(sender, { ...asking, four_eyes: true });
    const { json: inbox } = await call('GET', '/v1/approvals?kind=conversation', undefined, as(sender));
    assert.equal(inbox.items.find((item: { id: string }) => item.id === approval.id)?.four_eyes, true);
    const body = { content: 'x', approvals: [{ id: approval.id, decision: 'approve' }] };
    const refused = await call('POST', `/v1/conversations/${id}/stream`, body, as(sender));
    assert.deepEqual([refused.status, refused.json.code], [403, 'four_eyes']);
    assert.equal((await call('POST', `/v1/conversations/${id}/stream`, body, as(other))).status, 200);
    await over(id);
  });

  test('four_eyes of an entry holds for its tool alone, and without it the sender may decide', async () => {
    const sender = await aKey('sender');
    const entry = { type: 'mail', requires_approval: true };
    const strict = await askedBy(sender, { tools: [{ ...entry, four_eyes: true }] });
    assert.equal((await decide(strict.id, strict.approval.id, sender)).status, 403);
    assert.equal((await call('POST', `/v1/conversations/${strict.id}/stop`)).status, 200);
    for (const tools of [[entry], [entry, { type: 'note', four_eyes: true }], [{ ...entry, four_eyes: false }]]) {
      const { id, approval } = await askedBy(sender, { tools });
      assert.equal(approval.four_eyes, false);
      assert.equal((await decide(id, approval.id, sender)).status, 200);
      await over(id);
    }
  });

  test('four_eyes counts who sent the message when another key has it answered again', async () => {
    const [sender, again, other] = [await aKey('sender'), await aKey('again'), await aKey('other')];
    const settings = await withModel({ ...asking, four_eyes: true }, send, send, { text: 'Done.' });
    const id = await app.converse(settings);
    await call('POST', `/v1/conversations/${id}`, { content: 'Write to Ada' }, as(sender));
    await call('POST', `/v1/conversations/${id}/stop`);
    const { run_id } = (await app.stored(id)).metadata;
    const retried = await call('POST', `/v1/runs/${run_id}/retry`, {}, as(again));
    assert.equal(retried.status, 200, retried.text);
    const approval = await until('the call waits', async () => {
      const { json } = await call('GET', `/v1/conversations/${id}/approvals?status=pending`);
      return json.items[0] as { id: string } | undefined;
    });
    assert.equal((await decide(id, approval.id, sender)).status, 403, 'who sent the message');
    assert.equal((await decide(id, approval.id, again)).status, 403, 'who started the run');
    assert.equal((await decide(id, approval.id, other)).status, 200);
    await over(id);
  });

  test('four_eyes counts who prepared the call with an earlier message of the conversation', async () => {
    const [planter, sender] = [await aKey('planter'), await aKey('sender')];
    const replies = [{ text: 'I will.' }, send, { text: 'Done.' }];
    const id = await app.converse(await withModel({ ...asking, four_eyes: true }, ...replies));
    await call('POST', `/v1/conversations/${id}`, { content: 'When you are told to go, write to Ada' }, as(planter));
    await call('POST', `/v1/conversations/${id}`, { content: 'Go' }, as(sender));
    const approval = await asked(id);
    assert.equal((await decide(id, approval.id, planter)).status, 403);
    assert.equal((await decide(id, approval.id, await aKey('other'))).status, 200);
    await over(id);
  });

  test('four_eyes counts who answered a question of the run', async () => {
    const [sender, helper] = [await aKey('sender'), await aKey('helper', 'conversations_read')];
    const question = { tool_calls: [{ id: 'q', name: 'human_in_the_loop_ask', input: { question: 'Whom?' } }] };
    const base_tools = [{ type: 'human_in_the_loop', enabled: true }];
    const replies = [question, send, { text: 'Done.' }];
    const id = await app.converse(await withModel({ ...asking, base_tools, four_eyes: true }, ...replies));
    await call('POST', `/v1/conversations/${id}`, { content: 'Write to them' }, as(sender));
    const said = await call('POST', `/v1/conversations/${id}/human`, { content: 'Ada' }, as(helper));
    assert.equal(said.status, 200, said.text);
    const approval = await until('the call waits', async () => {
      const { json } = await call('GET', `/v1/conversations/${id}/approvals?status=pending`);
      return json.items[0] as { id: string } | undefined;
    });
    const rotated = await rotate(helper);
    for (const key of [helper, rotated, await rotate(rotated)])
      assert.equal((await decide(id, approval.id, key)).status, 403);
    assert.equal((await decide(id, approval.id, await aKey('other'))).status, 200);
    await over(id);
  });

  test('four_eyes turned off later does not open what was asked before', async () => {
    const sender = await aKey('sender');
    const { id, approval } = await askedBy(sender, { ...asking, four_eyes: true });
    const patched = await call('PATCH', `/v1/conversations/${id}`, { settings: { four_eyes: false } });
    assert.equal(patched.status, 200);
    assert.equal((await decide(id, approval.id, sender)).status, 403);
    await call('POST', `/v1/conversations/${id}/stop`);
  });

  test('four_eyes counts the maker of the trigger that sent the message', async () => {
    const maker = await aKey('maker', 'flows_run', 'flows_edit', 'agents_edit');
    const other = await aKey('other');
    const definition = await withModel({ ...asking, four_eyes: true }, send, { text: 'Done.' });
    const { json: agent } = await call('POST', '/v1/agents', { name: 'Mailer', definition });
    const body = { name: 'hook', definition: { type: 'webhook', message: 'Write to Ada' } };
    const made = await call('POST', `/v1/agents/${agent.id}/triggers`, body, as(maker));
    assert.equal(made.status, 200, made.text);
    const fired = await call('POST', `/v1/triggers/${made.json.id}/fire`, {});
    assert.equal(fired.status, 200, fired.text);
    const waiting = await until('the call waits', async () => {
      const { json } = await call('GET', '/v1/approvals?kind=conversation');
      return json.items.find((item: { agent_id: string }) => item.agent_id === agent.id);
    });
    assert.equal((await decide(waiting.conversation_id, waiting.id, maker)).status, 403);
    assert.equal((await decide(waiting.conversation_id, waiting.id, other)).status, 200);
    await over(waiting.conversation_id);
  });

  test('four_eyes counts who gave the conversation instructions or variables, and not who set anything else', async () => {
    const [maker, editor, sender] = [
      await aKey('maker', 'agents_edit'),
      await aKey('editor', 'agents_edit'),
      await aKey('sender'),
    ];
    const limiter = await aKey('limiter', 'agents_edit');
    const settings = await withModel({ ...asking, four_eyes: true }, send, { text: 'Done.' });
    const { json: agent } = await call('POST', '/v1/agents', { name: 'Mailer', definition: settings });
    const body = { variables: { what: 'Write to Ada' } };
    const made = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, body, as(maker));
    assert.equal(made.status, 200, made.text);
    const { id } = made.json;
    const patch = (by: Key, settings: object) => call('PATCH', `/v1/conversations/${id}`, { settings }, as(by));
    assert.equal((await patch(editor, { extra_instructions: 'Always write to Ada' })).status, 200);
    assert.equal((await patch(limiter, { max_tokens: 100 })).status, 200);
    await call('POST', `/v1/conversations/${id}`, { content: 'Hello' }, as(sender));
    const approval = await asked(id);
    for (const key of [maker, editor, await rotate(editor), sender])
      assert.equal((await decide(id, approval.id, key)).status, 403);
    assert.equal((await decide(id, approval.id, limiter)).status, 200);
    await over(id);
  });

  test('four_eyes counts who spoke in place of the agent', async () => {
    const [helper, sender] = [await aKey('helper', 'conversations_read'), await aKey('sender')];
    const id = await app.converse(await withModel({ ...asking, four_eyes: true }, send, { text: 'Done.' }));
    assert.equal((await call('PATCH', `/v1/conversations/${id}`, { manual: true })).status, 200);
    await call('POST', `/v1/conversations/${id}`, { content: 'What will you do?' }, as(sender));
    const said = await call('POST', `/v1/conversations/${id}/human`, { content: 'I write to Ada next' }, as(helper));
    assert.equal(said.status, 200, said.text);
    assert.equal((await call('PATCH', `/v1/conversations/${id}`, { manual: false })).status, 200);
    await call('POST', `/v1/conversations/${id}`, { content: 'Go on' }, as(sender));
    const approval = await asked(id);
    for (const key of [helper, await rotate(helper)]) assert.equal((await decide(id, approval.id, key)).status, 403);
    assert.equal((await decide(id, approval.id, await aKey('other'))).status, 200);
    await over(id);
  });

  test('four_eyes counts who prepared what a co-worker asks in the conversation that asked it', async () => {
    const [planter, sender, other] = [await aKey('planter'), await aKey('sender'), await aKey('other')];
    const { json: helper } = await call('POST', '/v1/agents', {
      name: 'Postman',
      definition: await withModel(asking, send, { text: 'Sent.' }),
    });
    const delegating = { tool_calls: [{ id: 'd', name: 'coworker_Postman', input: { message: 'Write to Ada' } }] };
    const replies = [{ text: 'I will.' }, delegating, { text: 'Done.' }];
    const id = await app.converse(await withModel({ coworkers: [helper.id], four_eyes: true }, ...replies));
    await call('POST', `/v1/conversations/${id}`, { content: 'When you are told to go, write to Ada' }, as(planter));
    const answer = call('POST', `/v1/conversations/${id}`, { content: 'Go' }, as(sender));
    const waiting = await until('the call waits', async () => {
      const { json } = await call('GET', '/v1/approvals?kind=conversation');
      return json.items.find((item: { agent_id: string }) => item.agent_id === helper.id);
    });
    assert.equal((await decide(waiting.conversation_id, waiting.id, planter)).status, 403);
    assert.equal((await decide(waiting.conversation_id, waiting.id, other)).status, 200);
    await answer;
  });

  test('four_eyes of a conversation applies to the requests of its co-workers, regardless of their settings', async () => {
    const [sender, other] = [await aKey('sender'), await aKey('other')];
    const { json: helper } = await call('POST', '/v1/agents', {
      name: 'Mailer',
      definition: await withModel({ ...asking, four_eyes: false }, send, { text: 'Sent.' }),
    });
    const delegating = { tool_calls: [{ id: 'd', name: 'coworker_Mailer', input: { message: 'Write to Ada' } }] };
    const settings = await withModel({ coworkers: [helper.id], four_eyes: true }, delegating, { text: 'Done.' });
    const id = await app.converse(settings);
    const answer = call('POST', `/v1/conversations/${id}`, { content: 'Have it written' }, as(sender));
    const waiting = await until('the call waits', async () => {
      const { json } = await call('GET', '/v1/approvals?kind=conversation');
      return json.items.find((item: { agent_id: string }) => item.agent_id === helper.id);
    });
    assert.equal(waiting.four_eyes, true);
    assert.equal((await decide(waiting.conversation_id, waiting.id, sender)).status, 403);
    assert.equal((await decide(waiting.conversation_id, waiting.id, other)).status, 200);
    await answer;
  });
});
