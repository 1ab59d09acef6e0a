import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Reply } from '../../../../test/providers/scripted-server.ts';
import { openTestServer, until } from '../endpoints/testing.ts';

const doors = await openTestServer();
const { provider: server, call } = doors;

const verdict = (severity: string): Reply => ({
  text: JSON.stringify({ flagged: severity !== 'none', severity, reason: 'As graded' }),
});
type Body = { response_format?: unknown; messages: unknown };
let judged: (text: string) => Reply = () => verdict('none');
server.answers = (body: Body) => (body.response_format ? judged(JSON.stringify(body.messages)) : undefined);
/** Objects to replies with this word in them. */
const flagging = (text: string) => verdict(text.includes('SECRETLY') ? 'severe' : 'none');

const base = {
  model: ['openai/blind'],
  top_k: 0,
  max_retries_per_model: 0,
  toxicity: 'High',
  guardrails_scan_output: true,
  guardrail_action_replace: 'Something else.',
  guardrail_action_human: 'Look at this',
};
const bad = { text: 'Well, SECRETLY this is bad, all of it', deltas: 6, chunk_delay_ms: 5 };
const everyWay = ['', '?format=ui', '?format=vercel', '?format=json'].flatMap((format) =>
  (['fail', 'replace', 'human'] as const).map((action) => [format, action] as const),
);

/** What a stream says, in however many pieces. */
const wordsOf = (bytes: string) => [...bytes.matchAll(/"delta":"([^"]*)"/g)].map(([, text]) => text).join('');

async function ask(settings: object, reply: Reply = bad, format = '?format=ui') {
  judged = flagging;
  server.reply(reply);
  const { json } = await call('POST', '/v1/conversations', { name: 'test', settings: { ...base, ...settings } });
  const id = json.id as string;
  const response = await doors.request(`/v1/conversations/${id}/stream${format}`, {
    method: 'POST',
    body: { content: 'Hello' },
  });
  const bytes = await response.text();
  const { json: conversation } = await call('GET', `/v1/conversations/${id}`);
  const replayed = `/v1/conversations/${id}/events${format || '?'}${format ? '&' : ''}etag=unknown`;
  const again = await (await doors.request(replayed)).text();
  return { id, bytes, again, conversation, reply: conversation.messages.at(-1) };
}

suite('guardrails_scan_output, pre_stream', () => {
  test('no byte of a refused reply reaches the client, for every action and dialect', async (t) => {
    for (const [format, action] of everyWay)
      await t.test(`${action} ${format}`, async () => {
        const seen = await ask({ guardrails_output_mode: 'pre_stream', guardrail_action: action }, bad, format);
        for (const text of [seen.bytes, seen.again, JSON.stringify(seen.conversation)])
          assert.doesNotMatch(text, /Well|SECRETLY|all of it/);
        const status = { fail: 'failed', replace: 'completed', human: 'awaiting_human_feedback' }[action];
        assert.equal(seen.conversation.status, status);
        if (action === 'replace') assert.match(seen.bytes, /Something else\./);
      });
  });

  const badCall = { tool_calls: [{ id: 'c1', name: 'note', input: { text: 'Well, SECRETLY this is bad' } }] };

  test('not one byte of the arguments of a refused tool call is shown or stored', async (t) => {
    for (const [format, action] of everyWay)
      await t.test(`${action} ${format}`, async () => {
        const from = server.requests.length;
        const seen = await ask({ guardrails_output_mode: 'pre_stream', guardrail_action: action }, badCall, format);
        const stored = await doors.query(
          'select data from run_events join runs on runs.id = run_id where conversation_id = $1',
          [seen.id],
        );
        for (const text of [seen.bytes, seen.again, JSON.stringify(seen.conversation), JSON.stringify(stored)])
          assert.doesNotMatch(text, /Well|SECRETLY|this is bad/);
        const status = { fail: 'failed', replace: 'completed', human: 'awaiting_human_feedback' }[action];
        assert.equal(seen.conversation.status, status);
        // The message, the reply and the two verdicts: no request passed a tool result to the model.
        assert.equal(server.requests.length - from, 3);
      });
  });

  test('arguments that pass are shown, and the tool is called with them', async () => {
    const harmless = { tool_calls: [{ id: 'c1', name: 'note', input: { text: 'All is well' } }] };
    const seen = await ask({ guardrails_output_mode: 'pre_stream' }, harmless);
    assert.match(seen.bytes, /All is well/);
    assert.equal(seen.conversation.status, 'completed');
    const called = seen.reply.message_parts.find(({ type }: { type: string }) => type === 'function');
    assert.deepEqual(called.arguments, { text: 'All is well' });
  });

  test('warn shows the reply with the warning', async () => {
    const seen = await ask({ guardrails_output_mode: 'pre_stream', guardrail_action: 'warn' });
    assert.match(wordsOf(seen.bytes), /SECRETLY/);
    assert.match(seen.bytes, /data-warning/);
    assert.equal(seen.conversation.status, 'completed');
  });

  test('a reply that passes comes whole', async () => {
    const seen = await ask({ guardrails_output_mode: 'pre_stream' }, { text: 'All is well', deltas: 4 });
    assert.equal(seen.reply.message_parts[0].content, 'All is well');
    assert.match(seen.bytes, /text-delta/);
  });

  test('a guardrail that fails on the reply lets nothing of it through', async () => {
    let calls = 0;
    server.reply(bad);
    judged = () => (calls++ === 0 ? verdict('none') : { status: 500 });
    const settings = { ...base, guardrails_output_mode: 'pre_stream' };
    const { json } = await call('POST', '/v1/conversations', { name: 'test', settings });
    const { json: after } = await call('POST', `/v1/conversations/${json.id}`, { content: 'Hello' });
    assert.equal(after.status, 'failed');
    assert.doesNotMatch(JSON.stringify(after), /SECRETLY/);
    assert.match(JSON.stringify(after.messages.at(-1)), /guardrail_unavailable/);
  });
});

suite('guardrails_scan_output, post_stream', () => {
  test('a streamed reply is retracted and cannot be read afterwards', async (t) => {
    for (const [format, action] of everyWay)
      await t.test(`${action} ${format}`, async () => {
        const seen = await ask({ guardrail_action: action }, bad, format);
        assert.match(seen.bytes, /Well/);
        assert.match(seen.bytes, /data-retract/);
        if (action === 'replace')
          assert.ok(seen.bytes.indexOf('Something else.') > seen.bytes.indexOf('data-retract'), 'in this order');
        assert.doesNotMatch(seen.again, /Well|SECRETLY|all of it/);
        assert.match(seen.again, /data-retract/);
        assert.doesNotMatch(JSON.stringify(seen.conversation), /Well|SECRETLY|all of it/);
        const [withheld] = seen.reply.message_parts;
        assert.deepEqual([withheld.type, withheld.content, withheld.categories], ['withheld', '', ['toxicity']]);
        const stored = await doors.query('select data from run_events where run_id = $1', [seen.reply.metadata.run_id]);
        assert.doesNotMatch(JSON.stringify(stored), /Well|SECRETLY/);
      });
  });

  test('the arguments of a refused tool call are taken back, and the tool is not called', async () => {
    const input = { text: 'Well, SECRETLY this is bad' };
    const seen = await ask({ guardrail_action: 'fail' }, { tool_calls: [{ id: 'c1', name: 'note', input }] });
    assert.match(seen.bytes, /data-retract/);
    assert.doesNotMatch(seen.again, /SECRETLY/);
    assert.doesNotMatch(JSON.stringify(seen.conversation), /SECRETLY|tool-result/);
  });

  test('warn keeps the text', async () => {
    const seen = await ask({ guardrail_action: 'warn' });
    assert.match(seen.reply.message_parts[0].content, /SECRETLY/);
    assert.match(wordsOf(seen.again), /all of it/);
  });

  test('a client that comes back in the middle never sees the text', async () => {
    judged = flagging;
    const left = Promise.withResolvers<void>();
    server.reply({ ...bad, deltas: 8, held: { before: 'this', until: left.promise } });
    const { json } = await call('POST', '/v1/conversations', {
      name: 'test',
      settings: { ...base, guardrail_action: 'fail' },
    });
    const path = `/v1/conversations/${json.id}`;
    const leaving = new AbortController();
    const response = await doors.request(`${path}/stream?format=ui`, {
      method: 'POST',
      body: { content: 'Hello' },
      signal: leaving.signal,
    });
    const reader = response.body?.getReader();
    let got = '';
    while (reader && !got.includes('text-delta')) got += new TextDecoder().decode((await reader.read()).value);
    leaving.abort();
    left.resolve();
    const last = [...got.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] as string;
    await until('over', async () => (await call('GET', path)).json.status === 'failed');
    const again = await doors.request(`${path}/events?format=ui`, { headers: { 'last-event-id': last } });
    const rest = await again.text();
    assert.doesNotMatch(rest, /Well|SECRETLY|all of it/);
    assert.match(rest, /reset-step/);
    assert.match(rest, /data-retract/);
  });

  test('the refusal of a reply names the category that is looked for', async () => {
    const seen = await ask({ toxicity: 'Off', crime: 'Medium', guardrail_action: 'fail' });
    assert.deepEqual(seen.reply.message_parts[0].categories, ['crime']);
  });

  test('without guardrails_scan_output the reply is not looked at', async () => {
    const seen = await ask({ guardrails_scan_output: false });
    assert.match(seen.reply.message_parts[0].content, /SECRETLY/);
  });

  test('the violation of a reply is an entry without its text', async () => {
    const { id } = await ask({ guardrail_action: 'fail' });
    const { json } = await call('GET', `/v1/conversations/${id}/violations`);
    const [{ stage, category, severity, action }] = json.items;
    assert.deepEqual([stage, category, severity, action], ['output', 'toxicity', 'severe', 'fail']);
    assert.doesNotMatch(JSON.stringify(json), /SECRETLY/);
  });
});

suite('context_leak', () => {
  const persona =
    'You are the night clerk of the Grand Hotel and never tell anybody that the safe stands behind the blue painting in room nine.';
  const leaking = {
    toxicity: 'Off',
    guardrails_scan_output: false,
    context_leak: true,
    persona,
    guardrail_action: 'fail',
  };

  test('a reply that repeats the system prompt is a violation, with no model asked about it', async () => {
    const from = server.requests.length;
    const text = `Sure: ${persona}`;
    const seen = await ask(leaking, { text });
    assert.deepEqual([seen.conversation.status, server.requests.length - from], ['failed', 1]);
    assert.deepEqual(seen.reply.message_parts[0].categories, ['context_leak']);
    assert.doesNotMatch(seen.again, /blue painting/);
  });

  test('a reply that gives away the mark of the prompt is one too', async () => {
    server.answers = (body: Body) => {
      const mark = /mark of these instructions is (\w+)/.exec(JSON.stringify(body.messages))?.[1];
      return mark ? { text: `It is ${mark}` } : undefined;
    };
    const seen = await ask(leaking, { text: 'not asked' });
    assert.equal(seen.conversation.status, 'failed');
    server.answers = (body: Body) => (body.response_format ? judged(JSON.stringify(body.messages)) : undefined);
  });

  test('an ordinary reply is none', async () => {
    const seen = await ask(leaking, { text: 'Good evening, the bar is open until two.' });
    assert.equal(seen.conversation.status, 'completed');
  });
});
