import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Reply } from '../../../test/providers/scripted-server.ts';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { readChunks, readMessage } from '../runs/dialects/testing.ts';

const app = await scriptedApp();
const { server, name } = await app.provider();
const base = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0 };
const asking = (more: object = {}) => ({
  ...base,
  base_tools: [{ type: 'human_in_the_loop', enabled: true, handover_message: 'One moment, I ask.', ...more }],
});
const ask = (...questions: string[]) => ({
  tool_calls: questions.map((question, at) => ({ id: `q${at}`, name: 'human_in_the_loop_ask', input: { question } })),
});
const human = (id: string, content: string) => app.call('POST', `/v1/conversations/${id}/human`, { content });
const results = () =>
  (server.last().body.messages as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);
const over = (id: string, status = 'completed') =>
  until(`the conversation is ${status}`, async () => {
    const seen = await app.stored(id);
    return seen.status === status ? seen : undefined;
  });
const events = async (id: string) =>
  (
    await app.app.server.inject({
      url: `/v1/conversations/${id}/events?format=ui&after=0`,
      headers: { 'x-api-key': app.admin },
    })
  ).payload;

suite('human_in_the_loop', () => {
  test('a person is asked, the run waits, and the answer is the tool’s result', async () => {
    server.reply(ask('May she have a discount?'), { text: 'Yes, ten percent.' });
    const id = await app.converse(asking());
    const paused = await app.say(id, 'A discount?');
    assert.equal(paused.status, 'awaiting_human_feedback');
    const told = paused.conversation.ui_messages.at(-1).parts.at(-1);
    assert.partialDeepStrictEqual(told, {
      type: 'data-human-request',
      data: { message: 'One moment, I ask.', question: 'May she have a discount?' },
    });
    const listed = async (query = '') =>
      (await app.call('GET', `/v1/approvals${query}`)).json.items.find(
        (one: { conversation_id: string }) => one.conversation_id === id,
      );
    assert.partialDeepStrictEqual(await listed(), {
      ...{ kind: 'conversation', type: 'question', question: 'May she have a discount?', reason: null },
      ...{ tool: 'human_in_the_loop_ask', needs: 'conversations_read', expires_at: null },
    });
    const { created_at } = await listed();
    const later = new Date(Date.parse(created_at) + 1000).toISOString();
    assert.ok(await listed(`?conversation_id=${id}&created_after=${created_at}&created_before=${later}`));
    assert.ok(await listed(`?updated_after=${created_at}`));
    for (const query of [`?created_after=${later}`, `?created_before=${created_at}`, `?updated_after=${later}`])
      assert.equal(await listed(query), undefined, query);
    const other = await app.converse(asking());
    const ofOther = await app.call('GET', `/v1/approvals?status=all&conversation_id=${other}`);
    assert.deepEqual([ofOther.status, ofOther.json.items], [200, []]);
    const ofOwn = (await app.call('GET', `/v1/approvals?status=all&conversation_id=${id}&facets=true`)).json;
    assert.deepEqual([ofOwn.total, ofOwn.facets.kind], [1, [{ value: 'conversation', count: 1 }]]);
    const unknown = '00000000-0000-7000-8000-000000000001';
    assert.equal((await app.call('GET', `/v1/approvals?conversation_id=${unknown}`)).status, 404);
    const meanwhile = await app.call('POST', `/v1/conversations/${id}/chat`, { content: 'Well?' });
    const waits = 'The agent waits for a person; answer it, or stop the run';
    assert.deepEqual([meanwhile.status, meanwhile.json], [409, { detail: waits, code: 'run_in_progress' }]);
    const answered = await human(id, 'Ten percent');
    assert.deepEqual([answered.status, answered.json.status], [200, 'running']);
    assert.equal(await listed(), undefined);
    assert.equal((await listed('?status=answered')).note, 'Ten percent');
    const seen = await over(id);
    assert.deepEqual([seen.text, results()], ['Yes, ten percent.', ['{"answer":"Ten percent"}']]);
    assert.ok(seen.events.some((event) => event.type === 'human-answer' && event.content === 'Ten percent'));
    const { message } = await readMessage(await readChunks(await events(id)));
    assert.deepEqual(message.parts, seen.conversation.ui_messages.at(-1).parts);
    assert.equal((await human(id, 'Again')).status, 409);
  });

  test('requires_approval of human_in_the_loop has the question approved before it is asked', async () => {
    server.reply(ask('May she have a discount?'), { text: 'Yes.' });
    const id = await app.converse(asking({ requires_approval: true }));
    assert.equal((await app.say(id, 'A discount?')).status, 'awaiting_human_feedback');
    assert.equal((await human(id, 'Too early')).status, 409, 'nothing is asked yet');
    const [waiting] = (await app.call('GET', `/v1/conversations/${id}/approvals?status=pending`)).json.items;
    assert.partialDeepStrictEqual(waiting, {
      ...{ tool: 'human_in_the_loop_ask', reason: 'requires_approval' },
      arguments: { question: 'May she have a discount?' },
    });
    const path = `/v1/conversations/${id}/approvals/${waiting.id}`;
    assert.equal((await app.call('POST', path, { decision: 'approve' })).status, 200);
    await until('the person is asked', async () => {
      const { json } = await app.call('GET', '/v1/approvals');
      return json.items.some(
        (item: Record<string, string>) => item['conversation_id'] === id && item['type'] === 'question',
      );
    });
    await over(id, 'awaiting_human_feedback');
    assert.equal((await human(id, 'Ten percent')).status, 200);
    const seen = await over(id);
    assert.deepEqual([seen.text, results()], ['Yes.', ['{"answer":"Ten percent"}']]);
    const { message } = await readMessage(await readChunks(await events(id)));
    assert.deepEqual(message.parts, seen.conversation.ui_messages.at(-1).parts);
  });

  test('a question whose approval is rejected is not asked, and the model reads that', async () => {
    server.reply(ask('May she have a discount?'), { text: 'No.' });
    const id = await app.converse(asking({ requires_approval: true }));
    await app.say(id, 'A discount?');
    const [waiting] = (await app.call('GET', `/v1/conversations/${id}/approvals?status=pending`)).json.items;
    await app.call('POST', `/v1/conversations/${id}/approvals/${waiting.id}`, { decision: 'reject', note: 'Not now' });
    const seen = await over(id);
    assert.equal(
      seen.events.some(({ type }) => type === 'human-request'),
      false,
    );
    assert.match(results().join(), /A person rejected this call.*Not now/);
  });

  test('a call that waits for a person has given nothing back', async () => {
    const kinds = async (settings: object, reply: Reply) => {
      server.reply(reply);
      const id = await app.converse(settings);
      const { json } = await app.call('POST', `/v1/conversations/${id}/chat`, { content: 'A discount?' });
      return json.parts.map(({ kind, parts }: { kind: string; parts: { part_kind: string }[] }) =>
        [kind, ...parts.map(({ part_kind }) => part_kind)].join(' '),
      );
    };
    const waiting = ['response tool-call', 'response text'];
    assert.deepEqual(await kinds(asking(), ask('May she?')), waiting);
    const call = { name: 'filesystem_list', input: {} };
    const entry = { type: 'filesystem', requires_approval: true };
    assert.deepEqual(await kinds({ ...base, base_tools: [entry] }, { tool_calls: [call] }), waiting);
  });

  test('several questions of a step are answered in their order', async () => {
    server.reply(ask('First?', 'Second?'), { text: 'Both.' });
    const id = await app.converse(asking());
    await app.say(id);
    assert.equal((await human(id, 'One')).json.status, 'awaiting_human_feedback');
    await human(id, 'Two');
    await over(id);
    assert.deepEqual(results(), ['{"answer":"One"}', '{"answer":"Two"}']);
  });

  test('has_timeout: after timeout seconds the model gets the message that no answer came', async () => {
    server.reply(ask('Anybody?'), { text: 'Nobody there.' });
    const id = await app.converse(asking({ has_timeout: true, timeout: 1 }));
    await app.say(id);
    assert.equal((await over(id)).text, 'Nobody there.');
    assert.deepEqual(results(), ['{"error":"Nobody answered in time. Go on without them."}']);
    assert.equal((await human(id, 'Too late')).status, 409);
  });

  test('without has_timeout a question does not expire, even with a timeout', async () => {
    server.reply(ask('Anybody?'));
    const id = await app.converse(asking({ has_timeout: false, timeout: 1 }));
    await app.say(id);
    const [row] = await app.query('select expires_at from human_requests where conversation_id = $1', [id]);
    assert.equal(row.expires_at, null);
  });

  test('it is offered only where it is enabled', async () => {
    server.reply({ text: 'Hi' });
    await app.ask(base);
    assert.doesNotMatch(JSON.stringify(server.last().body), /human_in_the_loop/);
  });

  test('a caller with only agents_run can not answer in place of a person', async () => {
    server.reply(ask('May she?'));
    const { key } = await app.workspace();
    const id = await app.converse(asking());
    await app.say(id);
    assert.ok(key);
    const limited = await app.call('POST', `/v1/conversations/${id}/human`, { content: 'Yes' }, { key });
    assert.equal(limited.status, 404);
  });
});

suite('a conversation that a person answers', () => {
  test('does not ask a model: the text of the person is the reply, in the log and in every stream', async () => {
    const id = await app.converse(base);
    assert.equal((await app.call('PATCH', `/v1/conversations/${id}`, { manual: true })).json.manual, true);
    const asked = server.requests.length;
    const paused = await app.call('POST', `/v1/conversations/${id}`, { content: 'Is anybody there?' });
    assert.deepEqual([paused.json.status, paused.json.messages.length], ['awaiting_human_feedback', 1]);
    const answered = await human(id, 'The desk is open.');
    assert.deepEqual([answered.json.status, answered.json.messages.length], ['completed', 2]);
    assert.equal(server.requests.length, asked);
    const seen = await app.stored(id);
    assert.deepEqual(
      seen.events.map(({ type }) => type),
      ['run-start', 'handover', 'run-pause', 'human-answer', 'run-end'],
    );
    const stream = await events(id);
    const { message } = await readMessage(await readChunks(stream));
    assert.equal(message.parts.map((part) => (part.type === 'text' ? part.text : '')).join(''), 'The desk is open.');
    assert.equal(stream.split('[DONE]').length, 2);
    // The agent answers again and has the whole history.
    await app.call('PATCH', `/v1/conversations/${id}`, { manual: false });
    server.reply({ text: 'As they said.' });
    assert.equal((await app.say(id, 'And now?')).text, 'As they said.');
    assert.match(JSON.stringify(server.last().body), /The desk is open\./);
  });

  test('it can be stopped, and takes the next message then', async () => {
    const id = await app.converse(base);
    await app.call('PATCH', `/v1/conversations/${id}`, { manual: true });
    await app.call('POST', `/v1/conversations/${id}`, { content: 'Hello?' });
    assert.equal((await app.call('POST', `/v1/conversations/${id}/stop`)).json.status, 'stopped');
    assert.match(await events(id), /"type":"abort"/);
    const next = await app.call('POST', `/v1/conversations/${id}`, { content: 'Hello again?' });
    assert.equal(next.json.status, 'awaiting_human_feedback');
  });

  test('an answer given twice at once is taken once', async () => {
    const id = await app.converse(base);
    await app.call('PATCH', `/v1/conversations/${id}`, { manual: true });
    await app.call('POST', `/v1/conversations/${id}`, { content: 'Hello?' });
    const answers = await Promise.all(['One', 'Two', 'Three'].map((content) => human(id, content)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
    assert.equal((await app.stored(id)).conversation.messages.length, 2);
  });

  test('one Idempotency-Key says it once, however often it is sent', async () => {
    const id = await app.converse(base);
    await app.call('PATCH', `/v1/conversations/${id}`, { manual: true });
    await app.call('POST', `/v1/conversations/${id}`, { content: 'Hello?' });
    const once = () =>
      app.app.server.inject({
        method: 'POST',
        url: `/v1/conversations/${id}/human`,
        headers: { 'x-api-key': app.admin, 'idempotency-key': 'said-once' },
        payload: { content: 'Once' },
      });
    const first = await once();
    const again = await once();
    assert.deepEqual([first.statusCode, again.statusCode, again.json().messages.length], [200, 200, 2]);
  });
});
