import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import { readChunks, readMessage } from '../dialects/testing.ts';

const { call, provider, converse, stored } = await scriptedApp();

/** A shared conversation and the requests of a guest who holds its link. */
async function shared(settings: object = {}, ...replies: Parameters<typeof provider>) {
  const { server, name } = await provider(...replies);
  const id = await converse({ model: [`${name}/one`], max_retries_per_model: 0, ...settings });
  const { json } = await call('POST', `/v1/conversations/${id}/share`);
  const at = `/v1/public/conversations/${json.public_access_token}`;
  const say = (body: object | string, query = '?format=ui', headers: Record<string, string> = {}) =>
    call('POST', `${at}/stream${query}`, body, { key: null, headers });
  const join = (query = '?format=ui', headers: Record<string, string> = {}) =>
    call('GET', `${at}/events${query}`, undefined, { key: null, headers });
  return { server, id, say, join };
}
/** A slow machine sends more signs of life. */
const withoutPings = (text: string) => text.replaceAll(': ping\n\n', '');
const read = async (text: string) => readMessage(await readChunks(text));
const partsOf = async (text: string) =>
  (await read(text)).message.parts.flatMap((part) => ('text' in part ? part.text : part.type));

test('a guest with the link sends a message, reads the answer and finds it again', async () => {
  const { id, say, join } = await shared({}, { text: 'Good day' });
  const { status, text, headers } = await say({ content: 'Hello' });
  assert.deepEqual([status, headers['x-vercel-ai-ui-message-stream']], [200, 'v1']);
  assert.deepEqual(await partsOf(text), ['step-start', 'Good day']);
  assert.equal((await read(text)).message.metadata, undefined, 'a guest was told how the answer was made');
  const reply = await stored(id);
  assert.deepEqual([reply.status, reply.text], ['completed', 'Good day']);
  const replayed = await join('?format=ui&after=0');
  assert.equal(withoutPings(replayed.text), withoutPings(text));
  assert.match((await join()).text, /\[DONE\]/);
});

test('a guest is sent only what transport settings let through, in every format', async () => {
  const used = {
    text: 'Looking',
    deltas: 1,
    reasoning: 'secret thought',
    tool_calls: [{ name: 'clock_now', input: {} }],
  };
  for (const transport_show_tool_calls of [false, true])
    for (const format of ['?format=ui', '?format=vercel', '?format=json', '']) {
      const { id, say, join } = await shared({ transport_show_tool_calls }, used, { text: 'Done', deltas: 1 });
      const { text } = await say({ content: 'What time is it?' }, format);
      const again = await join(`${format || '?'}&after=0`);
      for (const sent of [text, again.text]) {
        assert.match(sent, /Done/);
        assert.equal(sent.includes('clock_now'), transport_show_tool_calls, sent);
        for (const hidden of ['secret thought', 'attempts', 'input_tokens', 'left out'])
          assert.ok(!sent.includes(hidden), hidden);
      }
      assert.equal((await stored(id)).status, 'completed');
    }
});

test('a guest is sent transport_thinking_text before the answer, and does not find it afterwards', async () => {
  const { id, say } = await shared({ transport_thinking_text: 'One moment' });
  const { text } = await say({ content: 'Hello' });
  const types = (await readChunks(text)).map(({ type }) => type);
  assert.deepEqual(types.slice(0, 2), ['start', 'data-thinking']);
  assert.match(text, /"text":"One moment"/);
  assert.deepEqual(await partsOf(text), ['step-start', 'You said: Hello']);
  assert.ok(!JSON.stringify((await stored(id)).reply).includes('One moment'));
});

test('a guest reads that the agent could not answer, without the reason', async () => {
  const { id, say } = await shared({}, { status: 400, error: 'The key of ACME is wrong' });
  const { text } = await say({ content: 'Hello' });
  assert.deepEqual((await read(text)).errors, ['The agent could not answer']);
  assert.ok(!text.includes('ACME') && !text.includes('/one'), text);
  assert.match((await stored(id)).error?.content ?? '', /ACME/);
});

test('a guest sends words and files and chooses nothing else', async () => {
  const { id, say } = await shared();
  const note = { name: 'note.txt', b64_content: Buffer.from('the note').toString('base64') };
  assert.equal((await say({ content: 'Read this', files: [note] })).status, 200);
  const { conversation } = await stored(id);
  assert.equal(conversation.messages[0].message_parts[0].files[0].name, 'note.txt');
  const refused: [body: object, place: string][] = [
    [{ content: 'x', tool: 'clock' }, 'body.tool'],
    [{ content: 'x', kb_id: id }, 'body.kb_id'],
    [{ content: 'x', workflow_id: id }, 'body.workflow_id'],
    [{ content: 'x', model_selection: ['m'] }, 'body.model_selection'],
    [{ content: 'x', files: [{ ...note, url: 'https://example.com/a' }] }, 'body.files.0.url'],
    [{ content: 'x', files: [{ ...note, id }] }, 'body.files.0.id'],
    [{ content: ' ' }, 'body.content'],
  ];
  for (const [body, place] of refused) {
    const { status, json } = await say(body);
    assert.deepEqual([status, json.detail[0].loc.join('.')], [422, place]);
  }
});

test("a guest's page may speak as the AI SDK's transport does", async () => {
  const { say } = await shared();
  const parts = [{ type: 'text', text: 'Hello there' }];
  const body = { id: 'chat', trigger: 'submit-message', messages: [{ id: 'm', role: 'user', parts }] };
  const { text } = await say(body);
  assert.deepEqual(await partsOf(text), ['step-start', 'You said: Hello there']);
});

test('a locked conversation tells a guest why, and one that is answering asks for patience', async () => {
  const refused = Promise.withResolvers<void>();
  const { server, id, say } = await shared({}, { text: 'slow', after: refused.promise });
  const first = say({ content: 'Hello' });
  await until('it is answering', () => server.requests.length === 1);
  assert.equal((await say({ content: 'Again' })).json.code, 'run_in_progress');
  refused.resolve();
  await first;
  await call('POST', `/v1/conversations/${id}/lock`, { message: 'Closed for today' });
  const { status, json } = await say({ content: 'Hello' });
  assert.deepEqual([status, json.detail], [423, 'Closed for today']);
});

test('a request that a guest repeats with its Idempotency-Key is joined to the first', async () => {
  const { server, say } = await shared();
  const key = { 'idempotency-key': 'guest-1' };
  const [one, two] = [await say({ content: 'Hello' }, '', key), await say({ content: 'Hello' }, '', key)];
  assert.deepEqual([one.status, withoutPings(one.text)], [200, withoutPings(two.text)]);
  assert.equal(server.requests.length, 1);
});

test('a guest gets no names of settings or variables, from limits or through the model', async () => {
  const web = { base_tools: [{ type: 'web_research', enabled: true }], usage_limits_max_messages: 2 };
  const searching = { tool_calls: [{ name: 'web_research_search', input: { query: 'herons' } }] };
  const { server, say } = await shared(web, searching, { text: 'I can not search.' });
  assert.equal((await say({ content: 'Search for herons' })).status, 200);
  const sent = JSON.stringify(server.last().body);
  assert.match(sent, /No web search is available/);
  assert.doesNotMatch(sent, /ATRIUM_|BRAVE_API_KEY/);
  const { status, json } = await say({ content: 'Again' });
  assert.deepEqual([status, json.code], [409, 'usage_limit_reached']);
  assert.doesNotMatch(json.detail, /usage_limits/);
});
