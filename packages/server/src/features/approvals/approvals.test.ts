import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { z } from 'zod';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { readChunks, readMessage } from '../runs/dialects/testing.ts';
import { defineTool } from '../tools/service.ts';

const sent: unknown[] = [];
const mail = defineTool({
  tool: 'mail_send',
  description: 'Sends a mail',
  input: z.object({ to: z.string(), amount: z.number().optional(), urgent: z.boolean().default(false) }),
  output: z.object({ sent: z.boolean() }),
  repeatable: false,
  run: async (_, input) => {
    sent.push(input);
    return { sent: true };
  },
});
const note = defineTool({
  tool: 'note_take',
  description: 'Takes a note',
  input: z.object({ text: z.string() }),
  output: z.object({ noted: z.string() }),
  repeatable: false,
  needs_approval: (input) => (input as { text: string }).text.includes('secretly'),
  run: async (_, { text }) => {
    sent.push(text);
    return { noted: text };
  },
});

const app = await scriptedApp({}, { tools: [mail, note] });
const { server, name } = await app.provider();
const base = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0 };
const asking = { ...base, tools: [{ type: 'mail', requires_approval: true }] };
const calls = (...inputs: object[]) => ({
  tool_calls: inputs.map((input, index) => ({ id: `c${index}`, name: 'mail_send', input })),
});
const results = () =>
  (server.last().body.messages as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);

const approvals = async (id: string, query = '') =>
  (await app.call('GET', `/v1/conversations/${id}/approvals${query}`)).json.items;
const decide = (id: string, approval: string, decision: string, note?: string) =>
  app.call('POST', `/v1/conversations/${id}/approvals/${approval}`, { decision, ...(note && { note }) });
const over = (id: string, status = 'completed') =>
  until(`the conversation is ${status}`, async () => {
    const seen = await app.stored(id);
    return seen.status === status ? seen : undefined;
  });

suite('a call that needs approval', () => {
  test('waits without a worker, is shown with what will be run, and is made once when it is approved', async () => {
    sent.length = 0;
    server.reply({ text: 'Let me. ', ...calls({ to: 'ada@example.org' }) }, { text: 'Sent.' });
    const id = await app.converse(asking);
    const paused = await app.call('POST', `/v1/conversations/${id}`, { content: 'Write to Ada' });
    assert.deepEqual([paused.status, paused.json.status, sent.length], [200, 'awaiting_human_feedback', 0]);
    const [run] = await app.query('select status, node_id, leased_until from runs where conversation_id = $1', [id]);
    assert.deepEqual(run, { status: 'awaiting_human_feedback', node_id: null, leased_until: null });

    const [asked] = await approvals(id, '?status=pending');
    assert.partialDeepStrictEqual(asked, {
      tool: 'mail_send',
      arguments: { to: 'ada@example.org', urgent: false },
      reason: 'requires_approval',
      status: 'pending',
      decided_by: null,
    });
    const done = await decide(id, asked.id, 'approve', 'Fine');
    assert.partialDeepStrictEqual(done.json, { status: 'approved', note: 'Fine' });
    const seen = await over(id);
    assert.deepEqual([seen.text, sent], ['Let me. Sent.', [asked.arguments]]);
    assert.deepEqual(results(), ['{"sent":true}']);
    assert.equal(seen.conversation.messages.length, 2);
    const types = seen.events.map(({ type }) => type);
    for (const type of ['approval-request', 'run-pause', 'approval-decision', 'run-resume', 'run-end'])
      assert.equal(types.filter((one) => one === type).length, 1, type);
    assert.ok(types.indexOf('run-pause') < types.indexOf('approval-decision'));
  });

  test('that is rejected is not made, and the model gets the rejection', async () => {
    sent.length = 0;
    server.reply(calls({ to: 'ada@example.org' }), { text: 'Then not.' });
    const id = await app.converse(asking);
    await app.say(id);
    const [asked] = await approvals(id);
    await decide(id, asked.id, 'reject', 'Wrong Ada');
    const seen = await over(id);
    assert.deepEqual([seen.text, sent.length], ['Then not.', 0]);
    assert.match(results()[0] ?? '', /A person rejected this call.*Wrong Ada/);
  });

  test('accepts only the first of two decisions', async () => {
    sent.length = 0;
    server.reply(calls({ to: 'a' }), { text: 'Done.' });
    const id = await app.converse(asking);
    await app.say(id);
    const [asked] = await approvals(id);
    const answers = await Promise.all(
      ['approve', 'reject', 'approve', 'reject'].map((decision) => decide(id, asked.id, decision)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
    assert.equal(answers.find(({ status }) => status === 409)?.json.code, 'approval_answered');
    await over(id);
    const [kept] = await approvals(id);
    assert.equal(sent.length, kept.status === 'approved' ? 1 : 0);
  });

  test('among several of a step: all are asked for together and the run goes on when all are answered', async () => {
    sent.length = 0;
    server.reply(calls({ to: 'a' }, { to: 'b' }, { to: 'c' }), { text: 'Two of three.' });
    const id = await app.converse(asking);
    await app.say(id);
    const asked = await approvals(id, '?status=pending');
    assert.deepEqual(asked.map((one: { arguments: { to: string } }) => one.arguments.to).sort(), ['a', 'b', 'c']);
    for (const one of asked) {
      assert.equal((await app.stored(id)).status, 'awaiting_human_feedback');
      await decide(id, one.id, one.arguments.to === 'b' ? 'reject' : 'approve');
    }
    assert.equal((await over(id)).text, 'Two of three.');
    assert.deepEqual(sent.map((one) => (one as { to: string }).to).sort(), ['a', 'c']);
    assert.equal(results().length, 3);
  });

  for (const parallel_tool_calls of [true, false])
    test(`runs the calls of its step that need no approval first (${parallel_tool_calls ? 'in parallel' : 'in sequence'})`, async () => {
      sent.length = 0;
      const others = ['first', 'last'].map((text) => ({ id: text, name: 'note_take', input: { text } }));
      const [first, last] = others;
      server.reply({ tool_calls: [first, ...calls({ to: 'a' }).tool_calls, last] as never }, { text: 'All.' });
      const id = await app.converse({ ...asking, parallel_tool_calls });
      await app.say(id);
      assert.deepEqual(sent, parallel_tool_calls ? ['first', 'last'] : ['first']);
      const [asked] = await approvals(id);
      await decide(id, asked.id, 'approve');
      assert.equal((await over(id)).text, 'All.');
      assert.deepEqual(sent.length, 3);
      assert.equal(results().length, 3);
    });

  test('needs it by approval_rules only where one of them fits, and always when they can’t be read', async () => {
    const rules = (...approval_rules: unknown[]) => ({ ...base, tools: [{ type: 'mail', approval_rules }] });
    const beyond = { argument: 'amount', operator: 'greater_than', value: 100 };
    const outside = { argument: 'to', operator: 'not_contains', value: '@example.org' };
    for (const [settings, input, waits] of [
      [rules(beyond), { to: 'a', amount: 100 }, false],
      [rules(beyond), { to: 'a', amount: 101 }, true],
      [rules(beyond), { to: 'a' }, false],
      [rules(beyond, outside), { to: 'a@example.org' }, false],
      [rules(beyond, outside), { to: 'a@evil.org' }, true],
      [rules({ argument: 'to', operator: 'no such' }), { to: 'a' }, true],
    ] as const) {
      server.reply(calls(input), ...(waits ? [] : [{ text: 'Done.' }]));
      const { status, id } = await app.ask(settings);
      assert.equal(status, waits ? 'awaiting_human_feedback' : 'completed', JSON.stringify([settings.tools, input]));
      if (waits) assert.equal((await approvals(id))[0].reason, 'rule');
    }
  });

  test('needs it when the tool itself requires it for the given input', async () => {
    for (const [text, waits] of [
      ['noAnonymizer', false],
      ['secretly', true],
    ] as const) {
      server.reply({ tool_calls: [{ name: 'note_take', input: { text } }] }, ...(waits ? [] : [{ text: 'Noted.' }]));
      const { status, id } = await app.ask(base);
      assert.equal(status, waits ? 'awaiting_human_feedback' : 'completed');
      if (waits) assert.equal((await approvals(id))[0].reason, 'tool');
    }
  });

  test('can be stopped and then not decided', async () => {
    sent.length = 0;
    server.reply(calls({ to: 'a' }));
    const id = await app.converse(asking);
    await app.say(id);
    const [asked] = await approvals(id);
    const stopped = await app.call('POST', `/v1/conversations/${id}/stop`);
    assert.equal(stopped.json.status, 'stopped');
    assert.equal((await approvals(id))[0].status, 'withdrawn');
    assert.equal((await decide(id, asked.id, 'approve')).status, 409);
    assert.equal(sent.length, 0);
    assert.equal((await app.say(id, 'SAY Still here')).text, 'Still here');
  });

  test('gives way to a message that interrupts', async () => {
    server.reply(calls({ to: 'a' }));
    const id = await app.converse(asking);
    await app.say(id);
    server.reply({ text: 'As you like.' });
    const next = await app.call('POST', `/v1/conversations/${id}?if_running=interrupt`, { content: 'Leave it' });
    assert.equal(next.json.status, 'completed');
  });

  test('is rejected when no decision comes in time', async () => {
    sent.length = 0;
    server.reply(calls({ to: 'a' }), { text: 'Nobody there.' });
    const entry = { type: 'mail', requires_approval: true, approval_timeout: 1 };
    const id = await app.converse({ ...base, tools: [entry] });
    await app.say(id);
    const seen = await over(id);
    assert.deepEqual([seen.text, sent.length], ['Nobody there.', 0]);
    assert.match(results()[0] ?? '', /Nobody approved this call in time/);
    const [asked] = await approvals(id);
    assert.deepEqual([asked.status, asked.decided_by], ['expired', null]);
    assert.equal((await decide(id, asked.id, 'approve')).status, 409);
  });
});

suite('watching', () => {
  const events = async (id: string, format: string, query = '') =>
    (
      await app.app.server.inject({
        url: `/v1/conversations/${id}/events?format=${format}&after=0${query}`,
        headers: { 'x-api-key': app.admin },
      })
    ).payload;

  test('an AI SDK client sees the request, comes back for the rest and has what was stored', async () => {
    server.reply(calls({ to: 'a' }, { to: 'b' }), { text: 'Done.' });
    const id = await app.converse({ ...asking, group_into_chain_of_thought: false });
    const paused = await app.say(id);
    assert.deepEqual(paused.chunks.slice(-3), ['tool-approval-request', 'tool-approval-request', 'finish']);
    const waiting = await readMessage(await readChunks(await events(id, 'ui')));
    const shown = (await app.stored(id)).conversation.ui_messages.at(-1).parts;
    assert.deepEqual(waiting.message.parts, shown);
    assert.equal(shown.at(-1).state, 'approval-requested');

    const [b, a] = await approvals(id);
    await decide(id, b.id, 'reject', 'No');
    await decide(id, a.id, 'approve');
    const { conversation } = await over(id);
    const { message, errors } = await readMessage(await readChunks(await events(id, 'ui')));
    assert.deepEqual(errors, []);
    assert.deepEqual(message.parts, conversation.ui_messages.at(-1).parts);
    assert.deepEqual(
      message.parts.flatMap((part) => ('toolCallId' in part ? part.state : [])),
      ['output-available', 'output-denied'],
    );
  });

  test('every dialect ends when the run waits, and tells the rest from where it was left', async () => {
    for (const format of ['ui', 'vercel', 'json'] as const) {
      server.reply(calls({ to: 'a' }), { text: 'Done.', deltas: 1 });
      const id = await app.converse(asking);
      await app.say(id);
      const first = await events(id, format);
      assert.match(first, format === 'json' ? /event: done/ : /\[DONE\]/);
      const [asked] = await approvals(id);
      await decide(id, asked.id, 'approve');
      await over(id);
      const whole = await events(id, format);
      const end = format === 'json' ? 'event: done' : 'data: {"type":"finish","finishReason":"other"}';
      const before = first.slice(0, first.indexOf(end));
      assert.ok(whole.startsWith(before), format);
      assert.equal(whole.split(format === 'json' ? 'event: done' : '[DONE]').length, 2, 'one end');
      assert.match(whole, /Done/);
    }
  });

  test('a tool whose calls are hidden still asks, in a part of its own', async () => {
    server.reply(calls({ to: 'a' }));
    const id = await app.converse({ ...asking, hidden_tools: ['mail_send'] });
    const { chunks } = await app.say(id);
    assert.ok(chunks.includes('data-approval') && !chunks.includes('tool-approval-request'));
  });
});

test('an AI SDK chat answers approvals with its next request and reads on in the same message', async () => {
  sent.length = 0;
  server.reply(calls({ to: 'yes' }, { to: 'no' }), { text: 'One of two.' });
  const id = await app.converse({ ...asking, group_into_chain_of_thought: false });
  const url = `/v1/conversations/${id}/stream?format=ui`;
  const headers = { 'x-api-key': app.admin };
  const post = async (payload: object) =>
    (await app.app.server.inject({ method: 'POST', url, headers, payload })).payload;
  const user = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Write' }] };
  const first = await readChunks(await post({ id, messages: [user], trigger: 'submit-message' }));
  const { message } = await readMessage(first);
  for (const part of message.parts)
    if ('approval' in part && part.approval && 'toolCallId' in part) {
      const approved = (part.input as { to: string }).to === 'yes';
      Object.assign(part, { state: 'approval-responded', approval: { ...part.approval, approved, reason: 'so' } });
    }
  const rest = await readChunks(await post({ id, messages: [user, message], trigger: 'submit-message' }));
  assert.deepEqual(
    sent.map((one) => (one as { to: string }).to),
    ['yes'],
  );
  // Both answers together are the whole message, as it was stored.
  const ending = first.findLastIndex(({ type }) => type === 'finish');
  const whole = await readMessage([...first.slice(0, ending), ...rest]);
  assert.deepEqual(whole.errors, []);
  assert.deepEqual(whole.message.parts, (await app.stored(id)).conversation.ui_messages.at(-1).parts);
  // Sent once more, as by another tab: it hears the rest and changes nothing.
  const again = await readChunks(await post({ id, messages: [user, message], trigger: 'submit-message' }));
  assert.deepEqual(again, rest);
  assert.equal(sent.length, 1);
});

test('guests of a link and other workspaces can neither see nor answer approvals', async () => {
  server.reply(calls({ to: 'a' }));
  const id = await app.converse(asking);
  await app.say(id);
  const [asked] = await approvals(id);
  const { json } = await app.call('POST', `/v1/conversations/${id}/share`);
  const url = `/v1/public/conversations/${json.public_access_token}/events?format=ui&after=0`;
  const guest = (await app.app.server.inject({ url })).payload;
  assert.ok(guest.includes('[DONE]') && !guest.includes(asked.id));
  const place = await app.workspace();
  const path = `/v1/conversations/${id}/approvals/${asked.id}`;
  assert.equal((await app.call('POST', path, { decision: 'approve' }, { key: place.key })).status, 404);
});

test('two calls of a step with one id are kept apart, so that the approved call runs', async () => {
  sent.length = 0;
  const same = [
    { id: 'x', name: 'mail_send', input: { to: 'harmless' } },
    { id: 'x', name: 'mail_send', input: { to: 'evil' } },
  ];
  server.reply({ tool_calls: same }, { text: 'Done.' });
  const id = await app.converse(asking);
  await app.say(id);
  const asked = await approvals(id, '?status=pending');
  assert.equal(asked.length, 2);
  for (const one of asked) await decide(id, one.id, one.arguments.to === 'harmless' ? 'approve' : 'reject');
  await over(id);
  assert.deepEqual(sent, [{ to: 'harmless', urgent: false }]);
});

test('rows that refer to a conversation can be inserted while its run begins to wait', async () => {
  await app.query('create table slow_pauses (conversation_id uuid)');
  await app.query(`
    create function slow_pause() returns trigger language plpgsql as $$
    begin
      while new.type = 'run-pause' and exists (
        select 1 from slow_pauses join runs using (conversation_id) where runs.id = new.run_id)
      loop perform pg_sleep(0.02); end loop;
      return new;
    end $$`);
  await app.query('create trigger slow_pause before insert on run_events for each row execute function slow_pause()');
  server.reply(calls({ to: 'a' }), { text: 'Sent.' });
  const id = await app.converse(asking);
  await app.query('insert into slow_pauses values ($1)', [id]);
  const saying = app.say(id);
  await until('it stands at its pause', async () => {
    const sleeping = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    return (await app.query(sleeping)).length > 0;
  });
  // Model call records are stored for many runs together, so they must not wait for one of them.
  await app
    .query(`set local lock_timeout = '2s';
      insert into call_prompts (workspace_id, call_id, conversation_id, run_id, sealed)
      select workspace_id, gen_random_uuid(), conversation_id, id, '' from runs where conversation_id = '${id}'`)
    .finally(() => app.query('delete from slow_pauses'));
  await saying;
  const [asked] = await approvals(id, '?status=pending');
  assert.equal((await decide(id, asked.id, 'approve')).status, 200);
  await over(id);
});
