import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { databaseOf, fill, makeSay } from '../conversations/testing.ts';
import { knowledgeApp } from '../knowledge-bases/testing.ts';
import { as, makePeopleIn } from '../people/testing.ts';

const kb = await knowledgeApp();
const { call, query, workspace } = kb;
const say = makeSay(await databaseOf(kb));
const people = await makePeopleIn(kb);

type Marked = { text: string; marks: { start: number; end: number }[] };
type Hit = { title: Marked; text: Marked | null; target: Record<string, unknown> };
type By = Parameters<typeof call>[3];

const find = async (q: string, more = '', by?: By) => {
  const answer = await call('GET', `/v1/search?q=${encodeURIComponent(q)}${more}`, undefined, by);
  assert.equal(answer.status, 200, answer.text);
  return answer.json as { groups: { type: string; hits: Hit[]; more: boolean }[]; left_out: object[] };
};
const hitsOf = async (type: string, q: string, by?: By) =>
  (await find(q, `&types=${type}`, by)).groups.flatMap(({ hits }) => hits);
const typesOf = async (q: string, by?: By) => (await find(q, '', by)).groups.map(({ type }) => type);
const marked = ({ text, marks }: Marked) => marks.map(({ start, end }) => text.slice(start, end));
const make = async (path: string, body: object, by?: By) => {
  const answer = await call('POST', path, body, by);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

const agent = await make('/v1/agents', { name: 'Zebra desk' });
const talk = await make('/v1/conversations', { name: 'About zebras' });
const message_id = await say(talk, 'user', '<b>Where</b> is my zebra-striped coat?');
await say(
  talk,
  'assistant',
  { role: 'function', type: 'function', content: 'quagga in a tool result' },
  { role: 'assistant', type: 'reasoning', content: 'quagga in a thought' },
  { role: 'assistant', type: 'text', content: 'quagga for the operator', advice: true },
  { role: 'assistant', type: 'text', content: 'It hangs in the hall.' },
);
const base_id = await kb.base({ auto_summary: false }, { name: 'Zebra lore' });
await kb.fill(base_id, { 'zebra.txt': 'The stripes of the zebra confuse flies.' });
const columns = [{ name: 'zebra_id', type: 'text', label: 'Zebra number' }];
const table = await make('/v1/tables', { name: 'Zebra list', columns });
const nodes = [
  { id: 'in', type: 'InputNode', name: 'Which zebra?' },
  { id: 'other', type: 'InputNode', node_config: { hint: 'gnu' } },
];
const workflow = await make('/v1/workflows?force=true', {
  ...{ name: 'Feed the zebra', type: 'flow', definition: { nodes, edges: [] } },
});
const variable = await make('/v1/variables', { name: 'zebra_token', inline_value: 'okapi' });

test('finds what each list shows, with marks and what to open', async () => {
  const { groups, left_out } = await find('zebra');
  const first = Object.fromEntries(groups.map(({ type, hits }) => [type, hits[0]?.target]));
  const [document] = await kb.documents(base_id);
  const [passage] = await kb.chunks(base_id);
  assert.deepEqual(first, {
    agents: { agent_id: agent.id },
    conversations: { conversation_id: talk.id },
    messages: { conversation_id: talk.id, message_id, seq: 1 },
    knowledge_bases: { knowledge_base_id: base_id },
    documents: { knowledge_base_id: base_id, document_id: document.id },
    passages: {
      ...{ knowledge_base_id: base_id, document_id: document.id, passage_id: passage.id },
      ...{ start: passage.start, end: passage.end, page: passage.page },
    },
    tables: { table_id: table.id },
    columns: { table_id: table.id, column: 'zebra_id' },
    workflows: { workflow_id: workflow.id },
    steps: { workflow_id: workflow.id, step_id: 'in' },
    variables: { variable_id: variable.id },
  });
  assert.deepEqual(left_out, []);
  for (const { hits } of groups)
    for (const { title, text } of hits)
      assert.ok(
        [...marked(title), ...(text ? marked(text) : [])].every((word) => /^zebra$/i.test(word)),
        title.text,
      );
  const [message] = await hitsOf('messages', 'zebra str');
  assert.equal(message?.text?.text, '<b>Where</b> is my zebra-striped coat?', 'markup of users stays theirs');
  assert.deepEqual(message?.text && marked(message.text), ['zebra', 'str']);
});

test('finds settings by label and operations by summary', async () => {
  const [setting] = await hitsOf('settings', 'temperature');
  assert.deepEqual(setting?.target, { form: 'agents', variant: null, setting: 'temperature' });
  const [operation] = await hitsOf('help', 'search everything');
  assert.deepEqual(operation?.target, { operation_id: 'search.find' });
});

test('searches no tool result, reasoning, advice, replaced branch, step configuration or value', async () => {
  for (const word of ['quagga', 'gnu', 'okapi']) assert.deepEqual(await typesOf(word), [], word);
  assert.equal((await hitsOf('messages', 'hall')).length, 1);
  await query('update messages set superseded_by = $2 where id = $1', [message_id, talk.id]);
  assert.deepEqual(await hitsOf('messages', 'coat'), []);
  await query('update messages set superseded_by = null where id = $1', [message_id]);
  assert.equal((await hitsOf('messages', 'coat')).length, 1);
});

test('finds a text with a hyphen, and no passage that is switched off', async () => {
  assert.deepEqual(
    (await hitsOf('messages', 'zebra-striped')).map(({ text }) => text && marked(text)),
    [['zebra-striped']],
  );
  const [passage] = await kb.chunks(base_id);
  await query('update kb_chunks set enabled = false where id = $1', [passage.id]);
  assert.deepEqual(await hitsOf('passages', 'confuse flies'), []);
  await query('update kb_chunks set enabled = true where id = $1', [passage.id]);
  assert.equal((await hitsOf('passages', 'confuse flies')).length, 1);
});

test('words of messages can be made without a search path, as when a dump is restored', async () => {
  const parts = JSON.stringify([{ type: 'user', content: 'A zebra' }]);
  const [row] = await query(
    `select set_config('search_path', '', false), public.message_words($1)::text as words,
       set_config('search_path', '"$user", public', false)`,
    [parts],
  );
  assert.equal(row.words, "'a' 'zebra'");
});

test('keeps to the limit, says when there is more, and refuses unknown types and empty texts', async () => {
  const { groups } = await find('e', '&types=settings,help&limit=2');
  assert.deepEqual(
    groups.map(({ hits, more }) => [hits.length, more]),
    [
      [2, true],
      [2, true],
    ],
  );
  for (const path of ['q=a&types=agents,secrets', 'q=%20', 'q=', 'types=agents', 'q=a&limit=21'])
    assert.equal((await call('GET', `/v1/search?${path}`)).status, 422, path);
  for (const q of ["'", '%', '_', '\\', ":* & !('", '😀', 'a'.repeat(200), 'ـ', '1e5 -7 a@b.c'])
    assert.ok(await find(q), q);
  assert.deepEqual(await hitsOf('agents', '%'), []);
});

test('finds nothing of another workspace, and only types that the key may list', async () => {
  const other = await workspace();
  assert.deepEqual(await typesOf('zebra', { key: other.key }), []);
  const keyWith = async (...permissions: string[]) => {
    const made = await make(`/v1/admin/groups/${people.home}/api-keys`, { name: 'weak', permissions });
    return { key: made.value as string };
  };
  assert.deepEqual(await typesOf('zebra', await keyWith('tables_read')), ['tables', 'columns']);
  assert.deepEqual(await typesOf('zebra', await keyWith('flows_run')), ['workflows', 'steps']);
  assert.deepEqual(await typesOf('zebra', await keyWith('variables_read')), ['variables']);
  assert.deepEqual(await typesOf('zebra', await keyWith('kbs_query')), ['knowledge_bases', 'documents', 'passages']);
  const refused = await call('GET', '/v1/search?q=zebra', undefined, await keyWith('files_read'));
  assert.equal(refused.status, 403);
  assert.equal((await call('GET', '/v1/search?q=zebra', undefined, { key: null })).status, 401);
});

test('no byte of an answer differs by conversations of other people, in 30 random worlds', async () => {
  const [ada, bo] = [await people.aMember('Reader'), await people.aMember('Reader')];
  const start = (cookie: string, name: string) => make('/v1/conversations', { name }, as(cookie));
  const own = await start(ada.cookie, 'walrus of Ada');
  await say(own, 'user', 'my walrus sleeps');
  const ask = async () =>
    Promise.all(
      ['walrus', 'wal', 'sleeps', 'walrus sleeps', 'secret'].map(
        async (q) => (await call('GET', `/v1/search?q=${q}&limit=1`, undefined, as(ada.cookie))).text,
      ),
    );
  const before = await ask();
  assert.ok(before[0]?.includes(own.id) && before[4] && !before[4].includes('conversation_id'));
  const others: { id: string; group_id: string }[] = [];
  for (let world = 0; world < 30; world++) {
    const chosen = others[Math.floor(Math.random() * others.length)];
    const way = Math.floor(Math.random() * 4);
    if (!chosen || way === 0) {
      const made = await start(bo.cookie, `walrus secret ${world}`);
      others.push(made);
      await say(made, 'user', 'the walrus sleeps in secret');
    } else if (way === 1) await say(chosen, 'assistant', 'secret walrus');
    else if (way === 2)
      assert.equal((await call('PATCH', `/v1/conversations/${chosen.id}`, { name: `walrus ${world}` })).status, 200);
    else {
      assert.equal((await call('DELETE', `/v1/conversations/${chosen.id}`)).status, 200);
      others.splice(others.indexOf(chosen), 1);
    }
    assert.deepEqual(await ask(), before, `world ${world}, way ${way}`);
  }
  await say(await start(bo.cookie, 'left'), 'user', 'the walrus is here');
  assert.ok((await hitsOf('messages', 'walrus')).length > 1, 'those who may read all find the others');
});

test('each search of texts is served by an index', async () => {
  await fill(kb, await make('/v1/conversations', { name: 'long' }), 20_000);
  await query(
    `insert into kb_chunks (workspace_id, kb_id, document_id, run_id, id, position, content, start_at, end_at, headings)
     select workspace_id, kb_id, document_id, run_id, gen_random_uuid(), n, 'okay ' || n, 0, 1, '{}'
     from kb_chunks, generate_series(1000, 20_999) n where kb_id = $1`,
    [base_id],
  );
  await query('analyze messages');
  await query('analyze kb_chunks');
  const plan = async (statement: string) => JSON.stringify(await query(`explain ${statement}`));
  const own = `workspace_id = '${people.home}'`;
  const asked = `to_tsquery('simple', '''zebra'':*')`;
  const messages = `select 1 from messages where ${own} and superseded_by is null and words @@ ${asked}`;
  const passages = `select 1 from kb_chunks where ${own} and search_words(content) @@ ${asked}`;
  assert.match(await plan(messages), /messages_search/);
  assert.match(await plan(passages), /kb_chunks_search/);
});

test('finds common words in the newest documents first, and rare ones far behind them', async () => {
  const other_id = await kb.base({ auto_summary: false }, { name: 'Herds' });
  await kb.fill(other_id, { 'old.txt': 'A lone addax among oryx.' });
  await kb.fill(other_id, { 'new.txt': 'The oryx herd.' });
  await query(
    `insert into kb_chunks (workspace_id, kb_id, document_id, run_id, id, position, content, start_at, end_at, headings)
     select c.workspace_id, c.kb_id, c.document_id, c.run_id, gen_random_uuid(), n,
       case when n % 40 = 0 then 'oryx ' || n when n = 299 then 'one kudu' else 'grass' end, 0, 1, '{}'
     from kb_chunks c join kb_documents d on d.id = c.document_id, generate_series(1, 299) n
     where c.kb_id = $1 and d.name = 'new.txt'`,
    [other_id],
  );
  const texts = async (q: string, limit: number) =>
    (await find(q, `&types=passages&limit=${limit}`)).groups.flatMap(({ hits }) => hits.map(({ text }) => text?.text));
  assert.deepEqual(await texts('oryx', 2), ['The oryx herd.', 'oryx 40']);
  const numbered = [40, 80, 120, 160, 200, 240, 280].map((n) => `oryx ${n}`);
  assert.deepEqual(await texts('oryx', 20), ['The oryx herd.', ...numbered, 'A lone addax among oryx.']);
  assert.deepEqual(await texts('kudu', 5), ['one kudu']);
  assert.deepEqual(await texts('addax', 5), ['A lone addax among oryx.']);
});

test('says that conversations and messages are left out while they are encrypted', async () => {
  const sealed = await testApp({ encrypt_at_rest: true });
  const made = await sealed.call('POST', '/v1/agents', { name: 'Yak' });
  assert.equal(made.status, 200, made.text);
  const { json } = await sealed.call('GET', '/v1/search?q=yak');
  assert.deepEqual(
    json.left_out.map(({ type, reason }: { type: string; reason: string }) => [type, reason]),
    [
      ['conversations', 'encrypted'],
      ['messages', 'encrypted'],
    ],
  );
  assert.match(json.left_out[0].message, /ATRIUM_ENCRYPT_AT_REST/);
  assert.equal(json.groups[0].hits[0].target.agent_id, made.json.id);
});

test('keeps no words of encrypted messages in the database, and those of damaged ones neither', async () => {
  const [row] = await query(
    `select message_words('atrium-sealed:1:a:b:c:walrus') as sealed, message_words('[{"type"') as broken,
       message_words('[{"type":"user","content":"a \\u0000 walrus"}]') as zero`,
  );
  assert.deepEqual(row, { sealed: null, broken: null, zero: null });
  const long = `[{"type":"user","content":"${Array.from({ length: 300_000 }, (_, n) => n.toString(36)).join(' ')}"}]`;
  assert.equal((await query('select length(message_words($1)) > 1000 as has', [long]))[0].has, true);
});
