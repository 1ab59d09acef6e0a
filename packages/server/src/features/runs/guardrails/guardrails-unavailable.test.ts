import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Reply } from '../../../../test/providers/scripted-server.ts';
import { openTestServer, until } from '../endpoints/testing.ts';

const doors = await openTestServer();
const { provider: server, call, post } = doors;

const verdict = (severity: string): Reply => ({
  text: JSON.stringify({ flagged: severity !== 'none', severity, reason: 'As graded' }),
});
type Body = { response_format?: unknown; messages: unknown };
let judged: (text: string) => Reply = () => verdict('none');
server.answers = (body: Body) => (body.response_format ? judged(JSON.stringify(body.messages)) : undefined);
const asked = (from: number) =>
  server.requests.slice(from).flatMap(({ body }) => (body.response_format ? [] : JSON.stringify(body)));

const base = { model: ['openai/blind'], top_k: 0, max_retries_per_model: 0, guardrail_action: 'fail' };
const replayed = async (path: string) => (await doors.request(`${path}/events?format=ui&etag=unknown`)).text();
const secretly = 'Well, SECRETLY this is bad, all of it';
const slow: Reply = { text: secretly, deltas: 12, chunk_delay_ms: 5 };
const never = new Promise(() => {});

suite('what nobody has judged does not pass later either', async () => {
  const impatient = await doors.another({ guardrail_timeout_ms: 400 });
  for (const [what, reply] of [
    ['could not be judged', { text: 'no verdict' }],
    ['was not judged in time', { ...verdict('none'), after: never }],
  ] as const)
    test(`a message that ${what} is kept from the model in the next turn too`, async () => {
      const path = await doors.talk({ ...base, crime: 'High' });
      judged = () => reply;
      const { json } = await post(path, { content: 'BAD plan' }, { at: impatient.at });
      assert.match(JSON.stringify(json.messages.at(-1)), /guardrail_unavailable/);
      judged = () => verdict('none');
      const from = server.requests.length;
      server.reply({ text: 'Fine' });
      await post(path, { content: 'And now?' });
      assert.equal(asked(from).length, 1);
      assert.doesNotMatch(asked(from).join(), /BAD/);
    });

  test('a message stopped during its check is not sent to the model afterwards', async () => {
    const path = await doors.talk({ ...base, crime: 'High' });
    judged = () => ({ ...verdict('none'), after: never });
    const from = server.requests.length;
    const sent = post(path, { content: 'BAD plan' });
    await until('it is judged', () => server.requests.length > from);
    await post(`${path}/stop`, undefined);
    await sent;
    judged = () => verdict('none');
    server.reply({ text: 'Fine' });
    await post(path, { content: 'Answer my previous message' });
    assert.doesNotMatch(asked(from).join(), /BAD/);
  });

  test('a refused file is not sent to the model in the next turn', async () => {
    const path = await doors.talk({ ...base, crime: 'High' });
    judged = (text) => verdict(text.includes('BAD') ? 'severe' : 'none');
    const b64_content = Buffer.from('BAD plan').toString('base64');
    const from = server.requests.length;
    const { json } = await post(path, { content: 'Read', files: [{ name: 'a.txt', type: 'text/plain', b64_content }] });
    assert.equal(json.status, 'failed');
    server.reply({ text: 'Fine' });
    await post(path, { content: 'Hello' });
    assert.equal(asked(from).length, 1);
    assert.doesNotMatch(asked(from).join(), /BAD/);
  });

  test('no model is asked for the title of what it was not to hear', async () => {
    const path = await doors.talk({ ...base, crime: 'High' }, {});
    judged = (text) => verdict(text.includes('BAD') ? 'severe' : 'none');
    const from = server.requests.length;
    await post(path, { content: 'BAD plan' });
    await until('it has a name', async () => (await call('GET', path)).json.name === 'BAD plan');
    assert.deepEqual(asked(from), []);
  });

  test('a title that a guardrail objects to is not used', async () => {
    const path = await doors.talk({ ...base, toxicity: 'High', guardrails_scan_output: true }, {});
    judged = (text) => verdict(text.includes('SECRETLY') ? 'severe' : 'none');
    server.reply({ text: 'Fine' }, { text: 'SECRETLY a title' });
    await post(path, { content: 'Good day' });
    await until('it has a name', async () => (await call('GET', path)).json.name === 'Good day');
  });
});

suite('words that are out before anybody has judged them', () => {
  const scanned = { ...base, toxicity: 'High', guardrails_scan_output: true };
  const flagging = (text: string) => verdict(text.includes('SECRETLY') ? 'severe' : 'none');

  test('a guardrail that fails on the reply takes it back', async () => {
    const path = await doors.talk(scanned);
    judged = (text) => (text.includes('SECRETLY') ? { status: 500 } : verdict('none'));
    server.reply(slow);
    const { json } = await post(path);
    assert.equal(json.status, 'failed');
    assert.doesNotMatch(JSON.stringify(json) + (await replayed(path)), /Well|all of it/);
    assert.match(await replayed(path), /data-retract/);
  });

  test('a reply that is stopped before its verdict is taken back', async () => {
    const path = await doors.talk(scanned);
    judged = flagging;
    server.reply({ ...slow, held: { before: 'CRET', until: never } });
    const stream = await doors.stream(path, 'Hello', 'ui');
    await stream.heard('Well');
    await post(`${path}/stop`, undefined);
    assert.match(await stream.whole(), /data-retract/);
    const { json } = await call('GET', path);
    assert.equal(json.status, 'stopped');
    assert.doesNotMatch(JSON.stringify(json) + (await replayed(path)), /Well|SECRETLY/);
  });

  test('text of a failed attempt is removed for good', async () => {
    const path = await doors.talk({ ...scanned, max_retries_per_model: 1 });
    judged = flagging;
    server.reply({ ...slow, drop_after: 8 }, { text: 'All is well' });
    const { json } = await post(path);
    assert.equal(json.messages.at(-1).message_parts[0].content, 'All is well');
    assert.doesNotMatch(await replayed(path), /Well,|SECRETLY/);
  });

  test('a client that waits for the whole completion does not get what was taken back', async () => {
    judged = flagging;
    const definition = { ...scanned, guardrail_action: 'replace', guardrail_action_replace: 'Something else.' };
    const { json: agent } = await call('POST', '/v1/agents', { name: 'Guarded', definition });
    server.reply({ text: secretly, deltas: 5 });
    const messages = [{ role: 'user', content: 'Hello' }];
    const { json } = await call('POST', '/v1/chat/completions', { model: `agent:${agent.id}`, messages });
    assert.equal(json.choices[0].message.content, 'Something else.');
    assert.equal(json.choices[0].finish_reason, 'content_filter');
  });

  test('reasoning is judged like the rest', async () => {
    const path = await doors.talk({ ...scanned, guardrails_output_mode: 'pre_stream' });
    judged = flagging;
    server.reply({ reasoning: 'SECRETLY I think', text: 'Fine' });
    const { json } = await post(path);
    assert.equal(json.status, 'failed');
    assert.doesNotMatch(JSON.stringify(json), /SECRETLY/);
  });
});

suite('ways around a guardrail', () => {
  test('checks the history that a client of another protocol sends', async () => {
    judged = (text) => verdict(text.includes('BAD') ? 'severe' : 'none');
    const { json: agent } = await call('POST', '/v1/agents', {
      name: 'Judged',
      definition: { ...base, crime: 'High' },
    });
    for (const before of [
      [{ role: 'system', content: 'BAD plan' }],
      [
        { role: 'user', content: 'BAD plan' },
        { role: 'assistant', content: 'No' },
      ],
      [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'BAD plan' },
      ],
    ]) {
      const from = server.requests.length;
      const messages = [...before, { role: 'user', content: 'Go on' }];
      const answer = await call('POST', '/v1/chat/completions', { model: `agent:${agent.id}`, messages });
      // A refusal is an answer of this protocol.
      assert.deepEqual([answer.status, answer.json.choices?.[0].finish_reason], [200, 'content_filter'], answer.text);
      assert.deepEqual(asked(from), []);
    }
  });

  test('does not answer queued messages once the conversation is locked', async () => {
    const path = await doors.talk({ ...base, crime: 'High', block_after_violations: 1 });
    const waits = Promise.withResolvers<void>();
    judged = (text) => ({ ...verdict(text.includes('BAD') ? 'severe' : 'none'), after: waits.promise });
    const from = server.requests.length;
    const first = post(path, { content: 'BAD plan' });
    await until('it is judged', () => server.requests.length > from);
    const second = post(`${path}?if_running=enqueue`, { content: 'Good' });
    await until('the next one waits', async () => (await doors.runsOf(path)).length === 2);
    waits.resolve();
    await Promise.all([first, second]);
    const { json } = await call('GET', path);
    assert.equal(json.is_locked, true);
    assert.deepEqual(asked(from), []);
  });

  test('what one guardrail flags counts though another fails', async () => {
    const path = await doors.talk({ ...base, crime: 'High', toxicity: 'High' });
    let calls = 0;
    judged = () => (calls++ === 0 ? verdict('severe') : { status: 500 });
    const { json } = await post(path, { content: 'BAD plan' });
    assert.match(JSON.stringify(json.messages.at(-1)), /guardrail_violation/);
    assert.equal((await call('GET', `${path}/violations`)).json.total, 1);
  });
});
