import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply } from '../../../test/providers/scripted-server.ts';
import { carried } from './reply-files.ts';
import { channelApp, makesFiles } from './testing.ts';
import { filesIn } from './webhook/webhook.ts';

const { call, talk } = await channelApp();

const usesTool: Reply[] = [
  { reasoning: 'hidden thought', text: 'Looking', deltas: 1, tool_calls: [{ name: 'clock_now', input: {} }] },
  { text: 'It is late', deltas: 1 },
];

test('shows tool calls and thoughts in a channel only as far as the transport settings say', async () => {
  const plain = await talk({}, {}, ...usesTool);
  await plain.say('What time is it?');
  assert.equal((await plain.told(0)).text, 'Looking\n\nIt is late');
  const shown = { transport_show_tool_calls: true, transport_show_thinking: true };
  const open = await talk(shown, {}, ...usesTool);
  await open.say('What time is it?');
  assert.equal((await open.told(0)).text, '> hidden thought\n\nLooking\n\n_Used clock_now_\n\nIt is late');
});

test('sends transport_thinking_text to a channel before the answer', async () => {
  const { say, told } = await talk({ transport_thinking_text: 'One moment' }, {}, { text: 'Hi' });
  await say('Hello');
  const [first, second] = [await told(0), await told(1)];
  assert.deepEqual([first.type, first.text, second.type, second.text], ['thinking', 'One moment', 'message', 'Hi']);
});

test('with transport_allow_noop an agent may leave a message of a channel unanswered, and knows how', async () => {
  const { say, told, quiet, replied, model } = await talk(
    { transport_allow_noop: true },
    {},
    { text: '[no reply]' },
    { text: 'Yes?' },
  );
  await say('thanks!');
  await quiet();
  assert.deepEqual(replied(), []);
  assert.match(JSON.stringify(model.last().body), /reply with exactly \[no reply\]/);
  await say('Are you there?');
  assert.equal((await told(0)).text, 'Yes?');
  const strict = await talk({}, {}, { text: '[no reply]' });
  await strict.say('thanks!');
  assert.equal((await strict.told(0)).text, '[no reply]');
  assert.doesNotMatch(JSON.stringify(strict.model.last().body), /no reply/);
});

test('puts the footer of the agent below replies in a channel', async () => {
  const { say, told } = await talk({ message_footer_enabled: true, message_footer: 'Made by a machine' }, {});
  await say('Hello');
  assert.equal((await told(0)).text, 'You said: Hello\n\nMade by a machine');
});

test('the instructions of a deployment stand in the prompt of its conversations, and only there', async () => {
  const { say, told, model, agent } = await talk(
    { deployment_custom_instructions: 'Of the agent' },
    { custom_instructions: 'You are in the shop.' },
  );
  await say('Hello');
  await told(0);
  assert.match(JSON.stringify(model.last().body), /# Deployment\\nYou are in the shop\./);
  const { json } = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'x' });
  await call('POST', `/v1/conversations/${json.id}`, { content: 'Hello' });
  assert.match(JSON.stringify(model.last().body), /# Deployment\\nOf the agent/);
});

test('reports a failure in a channel without its cause', async () => {
  const { say, told } = await talk({}, {}, { status: 400, error: 'The key of ACME is wrong' });
  await say('Hello');
  assert.equal((await told(0)).text, 'The agent could not answer');
});

test('says in the channel that a conversation is locked or used up', async () => {
  const { say, told, conversations } = await talk({ usage_limits_max_messages: 4 }, {});
  await say('One');
  await told(0);
  const [{ id }] = await conversations();
  await call('POST', `/v1/conversations/${id}/lock`, { message: 'Closed for today' });
  await say('Two');
  assert.deepEqual([(await told(1)).type, (await told(1)).text], ['notice', 'Closed for today']);
  await call('POST', `/v1/conversations/${id}/unlock`);
  await say('Three');
  await told(2);
  await say('Four');
  assert.match((await told(3)).text, /limit of 4 messages/);
});

test('uses memories of one thread in no other thread', async () => {
  const settings = { base_tools: [{ type: 'agent_memory', enabled: true }] };
  const remembers: Reply = { tool_calls: [{ name: 'agent_memory_remember', input: { text: 'Kim likes tea' } }] };
  const recalls: Reply = { tool_calls: [{ name: 'agent_memory_recall', input: { query: 'tea' } }] };
  const { say, quiet, model } = await talk(settings, {}, remembers, { text: 'Noted' }, recalls, { text: 'Hm' });
  await say('I like tea', 'kim');
  await quiet();
  await say('What does Kim like?', 'eve');
  await quiet();
  assert.match(JSON.stringify(model.requests.at(-3)?.body), /Kim likes tea/);
  assert.doesNotMatch(JSON.stringify(model.last().body), /likes tea/);
});

test('files that the agent made go along with its reply, once', async () => {
  const note = { filename: 'note', format: 'text', content: 'The code is 4711.' };
  const { say, told, quiet, replied, conversations } = await talk(
    makesFiles.settings,
    {},
    ...makesFiles.replies(note),
    { text: 'You are welcome' },
  );
  await say('Write it down');
  const { text, files } = await told(0);
  assert.deepEqual([text, files.length], ['Here it is', 1]);
  const [{ id, path, content, ...about }] = files;
  assert.deepEqual(about, { name: 'note.txt', type: 'text/plain', size: 17 });
  assert.equal(Buffer.from(content, 'base64').toString(), note.content);
  const [conversation] = await conversations();
  assert.equal(path, `/v1/conversations/${conversation.id}/files/${id}`);
  assert.equal((await call('GET', path)).text, note.content);
  await say('Thanks');
  assert.deepEqual((await told(1)).files, []);
  await quiet();
  assert.equal(replied().length, 2);
});

test('a program is sent the bytes of files while they are few, and their place in any case', () => {
  const file = (size: number) => ({ ...{ id: 'f', name: 'a', type: 'text/plain', size }, bytes: Buffer.alloc(size) });
  const contents = (...sizes: number[]) =>
    filesIn('c', sizes.map(file)).map(({ content, path }) => [content?.length, path]);
  const path = '/v1/conversations/c/files/f';
  assert.deepEqual(contents(3, 6), [
    [4, path],
    [8, path],
  ]);
  const half = 2.5 * 1024 * 1024;
  assert.deepEqual(contents(half, half, 1), Array(3).fill([undefined, path]));
});

test('sends files that the channel accepts by size and type, and names the rest', () => {
  const file = (size: number, type = 'image/png') => ({ id: `${size}`, name: `${size}`, type, size });
  const carries = { each: 10, total: 15, types: /^image/ };
  const { along, named } = carried([file(11), file(10), file(6), file(1, 'text/plain'), file(5)], carries);
  assert.deepEqual(
    [along, named],
    [
      [file(10), file(5)],
      [file(11), file(6), file(1, 'text/plain')],
    ],
  );
});

test("an edited agent loses the deployer's permissions until a caller that holds them publishes the edit", async () => {
  const { json: me } = await call('GET', '/v1/admin/me');
  const { json: table } = await call('POST', '/v1/tables', {
    name: 'Orders',
    columns: [{ name: 'what', type: 'text' }],
  });
  await call('POST', `/v1/tables/${table.id}/rows`, { what: 'bread' });
  const looks: Reply[] = [
    { tool_calls: [{ name: 'tables_query', input: { table: table.sql_name } }] },
    { text: 'Done', deltas: 1 },
  ];
  const settings = { tables: [table.id], tool_grant_scope: 'user' };
  const { say, quiet, agent, model } = await talk(settings, {}, ...looks, ...looks, ...looks, ...looks);
  const read = async (thread: string) => {
    await say('What was ordered?', thread);
    await quiet();
    return JSON.stringify(model.last().body).includes('bread');
  };
  assert.equal(await read('before'), true);
  const permissions = ['agents_run', 'agents_edit'];
  const made = await call('POST', `/v1/admin/groups/${me.group_id}/api-keys`, { name: 'editor', permissions });
  const at = `/v1/agents/${agent.id}`;
  const edited = await call('PATCH', at, { definition: { persona: 'Tell all' } }, { key: made.json.value });
  assert.equal(edited.status, 200, edited.text);
  assert.equal(await read('edited'), false);
  assert.match(JSON.stringify(model.last().body), /takes the permission tables_read/);
  const [newest] = (await call('GET', `${at}/versions`)).json;
  await call('POST', `${at}/versions/${newest.id}/publish`);
  assert.equal(await read('published'), true);
  // The editor restores the identical version: its publisher before still answers for it.
  await call('POST', `${at}/versions/${newest.id}/publish`, undefined, { key: made.json.value });
  assert.equal(await read('again'), true);
});
