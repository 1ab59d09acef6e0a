import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { fakeProvider, knowledgeApp } from '../testing.ts';
import { quotePassage } from './quote-passage.ts';

const provider = await fakeProvider();
const kb = await knowledgeApp({ rerank_url: provider.url, rerank_api_key: 'k' });
const { call } = kb;

async function base(name: string, files: Record<string, string>): Promise<string> {
  const id = await kb.base({}, { name, description: `All about ${name.toLowerCase()}` });
  await kb.fill(id, files);
  return id;
}
const leave = await base('Handbook', { 'leave.txt': 'Every employee has 28 days of leave a year.' });
const garden = await base('Gardens', { 'roses.txt': 'Roses are pruned in March, when the frost is over.' });

async function ask(settings: object, content: string, more: object = {}, key = kb.admin) {
  const { json: made } = await call('POST', '/v1/conversations', { name: 'test', settings }, { key });
  const answer = await call('POST', `/v1/conversations/${made.id}`, { content, ...more }, { key });
  assert.equal(answer.status, 200, answer.text);
  const parts = answer.json.messages.at(-1).message_parts as {
    type: string;
    content: string;
    title?: string;
    name?: string;
    place?: { document_id: string };
  }[];
  const of = (type: string) => parts.filter((part) => part.type === type);
  return {
    text: of('text')
      .map(({ content: text }) => text)
      .join(''),
    sources: of('source'),
    warnings: answer.json.messages.at(-1).metadata.warnings,
    // The built-in model looks into files too.
    calls: of('function').filter(({ name }) => /^kb_|^knowledge/.test(name ?? '')),
  };
}

test('an agent answers from its knowledge bases and shows where it stands', async () => {
  const { text, sources, calls } = await ask(
    { knowledge_bases: [leave] },
    'How many days of leave does an employee have?',
  );
  assert.match(text, /28 days of leave/);
  assert.equal(sources[0]?.title, 'leave.txt');
  assert.equal(sources[0]?.content, 'Every employee has 28 days of leave a year.');
  const { json: documents } = await call('GET', `/v1/knowledge-bases/${leave}/documents`);
  const within = { kb_id: leave, document_id: documents.items[0].id, start: 0, end: 43, page: null, end_page: null };
  assert.deepEqual(sources[0]?.place, within);
  assert.doesNotMatch(calls[0]?.content ?? '', new RegExp(within.document_id), 'the model pays for an id');
});

test('warns in the search and in the message of the agent when a reranker fails', async () => {
  const reranked = await base('Kitchens', { 'kitchen.txt': 'A kitchen has two sinks.' });
  await kb.patch(reranked, { settings_: { reranking_enabled: true, rerankers: ['nobody/x'] } });
  provider.down = true;
  const warnings = [
    'The reranker nobody/x is not configured',
    'The reranker hosted failed',
    'No reranker answered: the hits are in the order of the search',
  ];
  const [hit] = await kb.search(reranked, 'sinks');
  assert.deepEqual(hit.warnings, warnings);
  const settings = { knowledge_bases: [reranked] };
  const failed = await ask(settings, 'How many sinks does a kitchen have?');
  assert.match(failed.text, /two sinks/);
  assert.deepEqual(
    failed.warnings,
    warnings.map((text) => `Knowledge base "Kitchens": ${text}`),
  );
  provider.down = false;
  await kb.patch(reranked, { settings_: { rerankers: [] } });
  assert.deepEqual((await kb.search(reranked, 'sinks'))[0].warnings, []);
  assert.deepEqual((await ask(settings, 'How many sinks does a kitchen have?')).warnings, []);
});

test('answers from a passage whose headings alone name the subject of the question', async () => {
  const rules = Array.from({ length: 24 }, (_, at) => `Rule ${at} tells where the ladders and the brooms are kept.`);
  const section = (name: string, days: number) =>
    `## ${name}\n\n${rules.join(' ')}\n\nIt has to be serviced every ${days} days by the workshop.\n`;
  const id = await base('Machines', {
    'machines.md': `# Machines\n\n${section('Harvester', 90)}\n${section('Seeder', 40)}`,
  });
  const { text, calls } = await ask({ knowledge_bases: [id] }, 'How often does the seeder have to be serviced?');
  assert.match(text, /every 40 days/);
  assert.doesNotMatch(text, /every 90 days/);
  assert.match(calls[0]?.content ?? '', /Machines > Seeder/);
});

test('of a long passage the part is quoted that has the words of the question', async () => {
  const filler = Array.from({ length: 15 }, (_, at) => `Rule ${at} is about the canteen and its tables.`).join(' ');
  const kites = await base('Kites', { 'kites.txt': `${filler} A kite needs a tail of six metres. ${filler}` });
  const { sources } = await ask({ knowledge_bases: [kites] }, 'How long is the tail of a kite?');
  const [quote = ''] = sources.map(({ content }) => content);
  assert.match(quote, /^A kite needs a tail of six metres\. Rule 0/);
  assert.ok(quote.length <= 400 && quote.endsWith('tables.'), quote);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 1500 }), fc.string(), (content, question) => {
      const found = quotePassage(content, question);
      assert.ok(content.includes(found) && (found.length <= 400 || found === content));
    }),
    {
      examples: [
        [`${'x'.repeat(900)}. y`, 'y'],
        ['。'.repeat(500), '。'],
      ],
    },
  );
});

test('multi_kb_search is one search over all knowledge bases of the agent', async () => {
  const one = await ask({ knowledge_bases: [leave, garden], multi_kb_search: true }, 'When are roses pruned?');
  assert.match(one.text, /March/);
  assert.deepEqual(
    one.calls.map(({ name }) => name),
    ['knowledge_search'],
  );
  const lost = await base('Lost', { 'a.txt': 'Roses are pruned in April.' });
  await kb.query('update knowledge_bases set index_name = $2 where id = $1', [lost, randomUUID()]);
  const some = await ask({ knowledge_bases: [lost, garden], multi_kb_search: true }, 'When are roses pruned?');
  assert.match(some.text, /March/);
  assert.deepEqual(JSON.parse(some.calls[0]?.content ?? '').not_searched, ['Lost']);
  const each = await ask({ knowledge_bases: [leave, garden] }, 'When are roses pruned?');
  assert.ok(each.calls.every(({ name }) => /^kb_(handbook|gardens)_search$/.test(name ?? '')));
});

test('kb_qa searches its base, kb_selector the base that fits', async () => {
  const asked = await ask({ tools: [{ type: 'kb_qa', kb_id: garden }] }, 'When are roses pruned?', {
    tool: 'kb_qa',
    kb_id: garden,
  });
  assert.match(asked.text, /March/);
  const { text } = await ask({ tools: [{ type: 'kb_selector' }] }, 'gardens: when are roses pruned?');
  assert.match(text, /March/);
});

test('a message names a base that the agent does not have, where its sender may give it to agents', async () => {
  const question = 'When are roses pruned?';
  const asked = await ask({}, question, { tool: 'kb_qa', kb_id: garden });
  assert.deepEqual([asked.calls.length, asked.sources[0]?.title], [1, 'roses.txt']);
  assert.match(asked.text, /March/);
  const me = (await kb.get(garden)).group_id;
  for (const [permissions, lacking] of [
    [['agents_run'], 'agents_edit and kbs_query'],
    [['agents_run', 'kbs_query'], 'agents_edit'],
    [['agents_run', 'agents_edit'], 'kbs_query'],
  ] as const) {
    const made = await call('POST', `/v1/admin/groups/${me}/api-keys`, { name: 'weak', permissions });
    const { id } = (await call('POST', '/v1/conversations', {}, { key: made.json.value })).json;
    const body = { content: question, tool: 'kb_qa', kb_id: garden };
    const { status, json } = await call('POST', `/v1/conversations/${id}`, body, { key: made.json.value });
    assert.deepEqual([status, json.code], [403, 'setting_forbidden']);
    assert.ok(json.detail.endsWith(`kb_id needs ${lacking}`), json.detail);
  }
  const { key: stranger } = await kb.workspace();
  assert.deepEqual((await ask({}, question, { tool: 'kb_qa', kb_id: garden }, stranger)).calls, []);
  assert.deepEqual((await ask({}, question, { tool: 'kb_qa', kb_id: 'no id' })).calls, []);
});

test('kb_selector offers no knowledge base to a caller without kbs_query where tools use the rights of the caller', async () => {
  const question = 'gardens: when are roses pruned?';
  const me = (await kb.get(garden)).group_id;
  const keyWith = async (...permissions: string[]) =>
    (await call('POST', `/v1/admin/groups/${me}/api-keys`, { name: 'weak', permissions })).json.value as string;
  const [weak, reader] = [await keyWith('agents_run'), await keyWith('agents_run', 'kbs_query')];
  const asked = async (tool_grant_scope: string, key: string) => {
    const definition = { tools: [{ type: 'kb_selector' }], tool_grant_scope };
    const { json: agent } = await call('POST', '/v1/agents', { name: 'Selects', definition });
    const { json: made } = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, {}, { key });
    const { json } = await call('POST', `/v1/conversations/${made.id}`, { content: question }, { key });
    return JSON.stringify(json.messages.at(-1));
  };
  assert.doesNotMatch(await asked('user', weak), /March|kb_selector_search/);
  assert.match(await asked('user', reader), /March/);
  assert.match(await asked('workspace', weak), /March/);
  // A conversation can not be given the tool by its caller.
  const settings = { tools: [{ type: 'kb_selector' }] };
  assert.equal((await call('POST', '/v1/conversations', { settings }, { key: reader })).status, 403);
});

test('questions whose documents are known are measured, by other settings too', async () => {
  const [document] = await kb.documents(leave);
  const at = `${kb.at}/${leave}/evaluate`;
  const good = (await call('POST', at, { questions: [{ query: 'days of leave', document_ids: [document.id] }] })).json;
  assert.deepEqual([good.recall_at_k, good.ndcg_at_10, good.mrr], [1, 1, 1]);
  const none = { threshold_enabled: true, threshold: 1, reranking_enabled: false };
  const same = (
    await call('POST', at, { questions: [{ query: 'zebra', document_ids: [document.id] }], settings_: none })
  ).json;
  assert.deepEqual([same.recall_at_k, same.mrr], [0, 0]);
});
