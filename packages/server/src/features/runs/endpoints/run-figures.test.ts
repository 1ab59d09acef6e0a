import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { until } from '../../insights/testing.ts';
import { as, makePeopleIn } from '../../people/testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Json = any;

const app = await scriptedApp({ roles: ['http', 'worker'], db_pool: 8 });
const { server, name } = await app.provider();
const people = await makePeopleIn(app);
const definition = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0 };
const newAgent = async (title: string) => (await app.call('POST', '/v1/agents', { name: title, definition })).json;
const [desk, shop] = [await newAgent('Desk'), await newAgent('Shop')];

async function talked(agent: Json, input: number, by = {}) {
  server.reply({ text: 'Yes', usage: { input, output: 10 } });
  const made = await app.call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'n' }, by);
  const said = await app.call('POST', `/v1/conversations/${made.json.id}`, { content: 'Hello' }, by);
  assert.equal(said.status, 200, said.text);
  const [run] = await app.query('select id from runs where conversation_id = $1', [made.json.id]);
  await until(
    async () => (await app.call('GET', `/v1/runs/${run.id}`)).json.usage,
    ({ tokens }) => tokens > 0,
  );
  return run.id as string;
}
const listed = async (query: string, by = {}): Promise<Json[]> => {
  const { status, json, text } = await app.call('GET', `/v1/runs?${query}`, undefined, by);
  assert.equal(status, 200, text);
  return json.items;
};
const ids = (items: Json[]) => items.map(({ id }) => id);

const small = await talked(desk, 100);
const large = await talked(shop, 900);
const bo = await people.aMember('Editor');
const middle = await talked(desk, 500, as(bo.cookie));
test('items of runs have tokens, cost, agent, version, actor and person', async () => {
  const [item] = await listed(`person_id=${bo.id}`);
  assert.equal(item.id, middle);
  assert.deepEqual([item.usage.tokens, item.usage.input_tokens, item.usage.model_calls], [510, 500, 1]);
  assert.equal(item.usage.cost, null, 'the scripted model has no price');
  assert.deepEqual(item.agent, { id: desk.id, name: 'Desk' });
  assert.equal(item.version.number, 1);
  assert.deepEqual([item.person.id, item.person.kind, item.actor.id], [bo.id, 'person', bo.id]);
  assert.deepEqual([item.trigger_id, item.parent_run_id], [null, null]);
  const { json: one } = await app.call('GET', `/v1/runs/${middle}`);
  assert.deepEqual(one, item);
  const [{ actor, person }] = await listed(`assistant_id=${shop.id}`);
  assert.deepEqual([actor.kind, person], ['service_account_key', null]);
});

test('runs are sorted by tokens and cost and filtered by version, person, tokens, cost and time', async () => {
  assert.deepEqual(ids(await listed('sort=-tokens')), [large, middle, small]);
  assert.deepEqual(ids(await listed('sort=tokens&kind=conversation')), [small, middle, large]);
  assert.deepEqual(ids(await listed('sort=-tokens&size=1&page=2')), [middle]);
  assert.deepEqual(ids(await listed('min_tokens=510&sort=tokens')), [middle, large]);
  // Costs as a provider with prices would have left them.
  await app.query('update run_totals set cost = case when run_id = $1 then 0.5 else 0.25 end where run_id <> $2', [
    small,
    large,
  ]);
  assert.deepEqual(ids(await listed('sort=-cost')), [small, middle, large], 'the run without a price comes last');
  assert.deepEqual(ids(await listed('sort=cost')), [middle, small, large]);
  assert.deepEqual(ids(await listed('min_cost=0.3')), [small]);
  for (const sort of ['-created_at', 'cost', '-cost', 'tokens', '-tokens']) {
    const pages: string[] = [];
    for (let after: string | null = ''; after !== null && pages.length < 9; ) {
      const path: string = `/v1/runs?sort=${sort}&size=1${after && `&after=${after}`}`;
      const { json } = await app.call('GET', path);
      pages.push(...ids(json.items));
      after = json.next;
    }
    assert.deepEqual(pages, ids(await listed(`sort=${sort}`)), `${sort} by cursor`);
  }
  assert.deepEqual(ids(await listed(`assistant_version_id=${desk.version_id}`)), [middle, small]);
  assert.deepEqual(ids(await listed(`sort=-tokens&assistant_id=${desk.id}`)), [middle, small]);
  const { created_at } = (await app.call('GET', `/v1/runs/${middle}`)).json;
  assert.deepEqual(ids(await listed(`created_before=${created_at}`)), [large, small]);
  assert.deepEqual(ids(await listed(`created_after=${created_at}`)), [middle]);
});

test("a person who may not read others' conversations, and another workspace, sort and filter only their own runs", async () => {
  const reader = await people.aMember('Reader');
  for (const query of ['sort=-tokens', 'sort=-cost', 'min_tokens=1', `person_id=${bo.id}`])
    assert.deepEqual(await listed(query, as(reader.cookie)), [], query);
  const { key } = await app.workspace();
  for (const query of ['sort=-tokens', 'min_tokens=1', `person_id=${bo.id}`])
    assert.deepEqual(await listed(query, { key }), [], query);
});

test('totals go with their run', async () => {
  const { conversation_id } = (await app.call('GET', `/v1/runs/${small}`)).json;
  await app.call('DELETE', `/v1/conversations/${conversation_id}`);
  assert.deepEqual(await app.query('select 1 from run_totals where run_id = $1', [small]), []);
});

test('each order and filter of runs has an index', async () => {
  const at = `workspace_id = '${people.home}'`;
  const plans = [
    [`select id from runs where ${at} and person_id = '${bo.id}' order by id desc limit 5`, 'runs_by_person'],
    [`select id from runs where ${at} and assistant_id = '${desk.id}' order by id desc limit 5`, 'runs_by_agent'],
    [
      `select id from runs where ${at} and assistant_version_id = '${desk.version_id}' order by id desc limit 5`,
      'runs_by_version',
    ],
    [`select id from runs where ${at} and trigger_id = '${desk.id}' order by id desc limit 5`, 'runs_by_trigger'],
    [`select run_id from run_totals where ${at} and cost is not null order by cost desc limit 5`, 'run_totals_by_cost'],
    [`select run_id from run_totals where ${at} order by tokens desc limit 5`, 'run_totals_by_tokens'],
  ];
  await app.query('set enable_seqscan = off');
  await app.query('set enable_sort = off');
  for (const [statement, index] of plans)
    assert.match(JSON.stringify(await app.query(`explain ${statement}`)), new RegExp(index as string));
});
