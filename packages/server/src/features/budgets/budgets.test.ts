import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/two-nodes.ts';
import { budgetApp } from './testing.ts';

const app = await budgetApp({ web_allow: ['127.0.0.1'] });
const { call } = app;
const admin = app.admin;

test('counts what the provider reports, in tokens and money', async () => {
  const { budget, complete, look, server } = await app.place();
  const { id, state, left } = await budget({ max_cost: 1, max_tokens: 100_000 });
  assert.deepEqual([state, left], ['ok', { tokens: 100_000, cost: 1 }]);
  server.reply({ text: 'Hi', usage: { input: 500, output: 50 } });
  assert.equal((await complete()).status, 200);
  const { used, reserved, left: rest, over } = await look(id);
  assert.deepEqual(used, { tokens: 550, cost: (500 * 2 + 50 * 10) / 1e6 });
  assert.deepEqual(reserved, { tokens: 0, cost: 0 });
  assert.deepEqual(rest, { tokens: 99_450, cost: 1 - 0.0015 });
  assert.deepEqual(over, { tokens: 0, cost: 0 });
});

test('counts the prices that an administrator gave a provider, and holds a budget of money by them', async () => {
  const place = await app.place();
  const { budget, complete, look, server, two } = place;
  const [name, model] = two.split('/');
  const path = '/v1/admin/providers';
  const all = (await call('GET', path)).json as { id: string; name: string }[];
  const { id: provider_id } = all.find((one) => one.name === name) ?? {};
  const change = (prices: object[]) => call('PATCH', `${path}/${provider_id}`, { prices });
  const twice = await change([
    { input: 1, output: 2 },
    { input: 1, output: 2 },
  ]);
  assert.deepEqual([twice.status, twice.json.detail[0].loc], [422, ['body', 'prices', '1', 'model']]);
  assert.equal((await change([{ model, input: -1, output: 2 }])).status, 422);
  const stored = await change([
    { model, input: 4, output: 20 },
    { input: 1, output: 1 },
  ]);
  assert.equal(stored.status, 200, stored.text);
  assert.deepEqual(stored.json.prices[0], { model, input: 4, output: 20, cached_input: null });
  const listed = (await call('GET', '/v1/models/llms')).json as { name: string; price: object }[];
  assert.deepEqual(listed.find((one) => one.name === two)?.price, { input: 4, cached_input: 4, output: 20 });

  await place.ok('PATCH', `/v1/agents/${place.agent_id}`, { definition: { model: [two] } });
  const { id } = await budget({ max_cost: 0.03 });
  server.reply({ text: 'Hi', usage: { input: 500, output: 50 } });
  assert.equal((await complete()).status, 200);
  assert.equal((await look(id)).used.cost, (500 * 4 + 50 * 20) / 1e6);
  server.reply({ text: 'Long', usage: { input: 500, output: 1400 } });
  await complete();
  assert.equal((await complete()).json.error.code, 'budget_reached');
});

test('shortens an answer to what is left, and ends the run when the answer is cut there', async () => {
  const { budget, complete, look, server, agent_id, key } = await app.place();
  const { id } = await budget({ max_tokens: 100_000 });
  server.reply({ usage: { input: 10, output: 1 } });
  await complete();
  const needed = 100_000 - (await call('GET', `/v1/admin/budgets/${id}`)).json.left.tokens;
  assert.equal(needed, 11);
  // Room for the request, as many tokens as it has bytes, and for a short answer.
  const { json: conversation } = await call('POST', `/v1/conversations?assistant_id=${agent_id}`, {}, { key });
  server.answers = ({ max_tokens }) => ({ text: 'A long', finish: 'length', usage: { input: 10, output: max_tokens } });
  await call('PATCH', `/v1/admin/budgets/${id}`, { max_tokens: 3000 }, { key });
  const { json } = await call('POST', `/v1/conversations/${conversation.id}`, { content: 'Hello' }, { key });
  const reply = json.messages.at(-1).message_parts.find(({ type }: { type: string }) => type === 'error');
  const asked = server.last().body.max_tokens;
  assert.ok(asked < 1000 && asked >= 16, `max_tokens was ${asked}`);
  assert.match(JSON.stringify(reply), /budget_reached/);
  assert.equal((await look(id)).used.tokens, 11 + 10 + asked);
});

test('refuses with 409 budget_reached what would pass a budget, and names it', async () => {
  const { budget, complete, server, agent_id, key, vectors, ok, look } = await app.place();
  const { id } = await budget({ name: 'Tea money', max_tokens: 20_000 });
  server.reply({ usage: { input: 19_000, output: 900 } });
  assert.equal((await complete()).status, 200);
  const conversation = await ok('POST', `/v1/conversations?assistant_id=${agent_id}`, {});
  const before = server.requests.length;
  const refusedBy = async (path: string, body: object) => {
    const { status, json } = await call('POST', path, body, { key });
    return [status, json.code ?? json.error?.code, /Tea money/.test(JSON.stringify(json))];
  };
  // The first finds too little left, and the budget is reached from then on.
  assert.equal((await complete()).status, 409);
  assert.equal((await look(id)).state, 'reached');
  for (const [path, body] of [
    [`/v1/conversations/${conversation.id}`, { content: 'Hello' }],
    [`/v1/conversations/${conversation.id}/stream`, { content: 'Hello' }],
    ['/v1/chat/completions', { model: `agent:${agent_id}`, messages: [{ role: 'user', content: 'Hi' }] }],
    ['/v1/embeddings', { model: vectors, input: ['Hi'] }],
  ] as const)
    assert.deepEqual(await refusedBy(path, body), [409, 'budget_reached', true], path);
  assert.equal(server.requests.length, before);
  assert.deepEqual((await ok('GET', `/v1/conversations/${conversation.id}`)).messages, [], 'nothing was begun');

  await ok('PATCH', `/v1/admin/budgets/${id}`, { max_tokens: 100_000 });
  assert.equal((await complete()).status, 200);
  await ok('PATCH', `/v1/admin/budgets/${id}`, { max_tokens: 100 });
  assert.equal((await look(id)).state, 'reached');
  await ok('DELETE', `/v1/admin/budgets/${id}`);
  assert.equal((await complete()).status, 200);
});

test('holds all budgets of a call: organization, workspace, agent, key and person', async () => {
  const { budget, complete, agent_id, key, ok, group_id, look } = await app.place();
  const own = await ok('GET', '/v1/admin/me');
  const other = await ok('POST', `/v1/admin/groups/${group_id}/api-keys`, { name: 'other' });
  const roomy = { max_tokens: 1_000_000, group_id: undefined };
  const made = {
    organization: await budget(roomy, admin),
    workspace: await budget({ ...roomy, group_id }),
    agent: await budget({ ...roomy, agent_id }),
    key: await budget({ ...roomy, key_id: own.id }),
    other_key: await budget({ ...roomy, key_id: other.id }),
  };
  assert.deepEqual(
    Object.values(made).map(({ scope }) => scope),
    ['organization', 'workspace', 'agent', 'key', 'key'],
  );
  assert.equal((await complete()).status, 200);
  const used = async () =>
    Promise.all(Object.values(made).map(async ({ id }) => Math.sign((await look(id)).used.tokens)));
  assert.deepEqual(await used(), [1, 1, 1, 1, 0]);
  await ok('PATCH', `/v1/admin/budgets/${made.agent.id}`, { max_tokens: 0 });
  assert.equal((await complete()).status, 409);
  await ok('DELETE', `/v1/admin/budgets/${made.agent.id}`);
  await ok('PATCH', `/v1/admin/budgets/${made.key.id}`, { max_tokens: 0 });
  assert.equal((await complete()).status, 409);
  assert.equal((await complete(other.value)).status, 200, 'another key has its own');
  const rotated = await ok('POST', `/v1/admin/groups/${group_id}/api-keys/${own.id}/rotate`, {}, admin);
  assert.equal((await complete(rotated.value)).status, 409, 'a new value does not leave the budget behind');
  await ok('DELETE', `/v1/admin/budgets/${made.organization.id}`, undefined, admin);
  assert.equal((await complete(key)).status, 409);
});

test('keeps a budget that the organization has set for a workspace from its administrators', async () => {
  const { key, group_id, budget } = await app.place();
  const set = await budget({ max_tokens: 5_000_000, group_id }, admin);
  assert.equal(set.set_by_organization, true);
  const at = `/v1/admin/budgets/${set.id}`;
  assert.equal((await call('GET', at, undefined, { key })).status, 200);
  for (const [method, body] of [['PATCH', { max_tokens: 9_000_000 }], ['DELETE']] as const)
    assert.equal((await call(method, at, body, { key })).status, 403);
  assert.equal((await call('PATCH', at, { max_tokens: 6_000_000 }, { key: admin })).json.max_tokens, 6_000_000);
});

test('lets administrators of a workspace see and change only its budgets', async () => {
  const { key, group_id, budget, agent_id, ok } = await app.place();
  const elsewhere = await app.place();
  const organization = await budget({ max_tokens: 5_000_000, group_id: undefined }, admin);
  const foreign = await elsewhere.budget({ max_tokens: 5_000_000 });
  const mine = await budget({ max_tokens: 5_000_000 });
  const weak = (
    await app.call('POST', `/v1/admin/groups/${group_id}/api-keys`, {
      name: 'w',
      permissions: ['agents_run', 'insights_read', 'agents_edit'],
    })
  ).json.value;
  for (const { id } of [organization, foreign]) {
    for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const)
      assert.equal((await call(method, `/v1/admin/budgets/${id}`, body, { key })).status, 404);
  }
  assert.deepEqual(
    (await ok('GET', '/v1/admin/budgets')).items.map(({ id }: { id: string }) => id),
    [mine.id],
  );
  const create = async (fields: object, by = key) =>
    (await call('POST', '/v1/admin/budgets', { name: 'n', max_tokens: 1, period: 'day', ...fields }, { key: by }))
      .status;
  assert.equal(await create({}), 403, 'the organization');
  assert.equal(await create({ group_id: elsewhere.group_id }), 404);
  assert.equal(await create({ agent_id: elsewhere.agent_id }), 404);
  assert.equal(await create({ agent_id }, weak), 403);
  assert.equal(await create({ key_id: (await call('GET', '/v1/admin/me')).json.id }), 404, 'a system key elsewhere');
  assert.equal(await create({ group_id, time_zone: 'Mars/Olympus' }), 422);
  assert.equal(await create({ group_id, max_tokens: null }), 422);
  for (const [method, path] of [
    ['GET', ''],
    ['GET', `/${mine.id}`],
    ['DELETE', `/${mine.id}`],
  ] as const)
    assert.equal((await call(method, `/v1/admin/budgets${path}`, undefined, { key: weak })).status, 403);
  await ok('DELETE', `/v1/admin/budgets/${organization.id}`, undefined, admin);
  await elsewhere.ok('DELETE', `/v1/admin/budgets/${foreign.id}`);
});

test('warns once in a period: in the list, in the log and to webhooks, without figures', async () => {
  const { budget, complete, server, look, ok } = await app.place();
  await ok('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['budget'] });
  const { id } = await budget({ name: 'Half', max_tokens: 100_000, warn_at: 50 });
  for (const input of [40_000, 20_000, 1000]) {
    server.reply({ usage: { input, output: 1 } });
    assert.equal((await complete()).status, 200);
    assert.equal((await look(id)).state, input === 40_000 ? 'ok' : 'warned');
  }
  const events = await app.query('select event, data from outbox where subject_id = $1', [id]);
  assert.deepEqual(
    events.map(({ event }) => event),
    ['budget.warned'],
  );
  assert.deepEqual(Object.keys(events[0].data), ['budget_id', 'name', 'period', 'period_starts_on']);
  assert.equal(app.logged.filter((line) => line.includes('budget.warned') && line.includes(id)).length, 1);
});

test('counts tokens only for models without a price', async () => {
  const { budget, complete, look, two, agent_id, ok } = await app.place();
  await ok('PATCH', `/v1/agents/${agent_id}`, { definition: { model: [two], max_retries_per_model: 0 } });
  const { id } = await budget({ max_cost: 0.000_001 });
  assert.equal((await complete()).status, 200);
  assert.deepEqual((await look(id)).used, { tokens: 18, cost: 0 });
});

test('counts tokens beyond a grant and shows them as over', async () => {
  const { budget, complete, look, server } = await app.place();
  const { id } = await budget({ max_tokens: 50_000 });
  server.reply({ usage: { input: 10, output: 60_000 } });
  assert.equal((await complete()).status, 200);
  const { used, over, state, left } = await look(id);
  assert.deepEqual([used.tokens, state, left.tokens], [60_010, 'reached', 0]);
  assert.ok(over.tokens > 50_000 && over.tokens < 60_000, String(over.tokens));
});

test('reserves before a call and gives back what a failed or stopped call did not use', async () => {
  // Reasoning is not heard, so all of it would count.
  const { budget, look, server, agent_id, ok, key } = await app.place({ enable_reasoning: false });
  const { id } = await budget({ max_tokens: 50_000 });
  const conversation = await ok('POST', `/v1/conversations?assistant_id=${agent_id}`, { name: 'test' });
  const held = Promise.withResolvers<void>();
  server.reply({ text: 'slow words', after: held.promise });
  const begun = call('POST', `/v1/conversations/${conversation.id}`, { content: 'Hello' }, { key });
  await until('it is asked', () => server.requests.length === 1);
  const { reserved } = await look(id);
  assert.ok(reserved.tokens > 1000 && reserved.tokens < 20_000, String(reserved.tokens));
  await ok('POST', `/v1/conversations/${conversation.id}/stop`, {});
  await begun;
  held.resolve();
  const stopped = await until('it is settled', async () => {
    const now = await look(id);
    return now.reserved.tokens === 0 ? now : undefined;
  });
  assert.ok(stopped.used.tokens > 0 && stopped.used.tokens < reserved.tokens, 'the provider may have counted it');
  server.reply({ status: 400, error: 'No' });
  await call('POST', `/v1/conversations/${conversation.id}`, { content: 'Again' }, { key });
  assert.equal((await look(id)).used.tokens, stopped.used.tokens);
});

test('an administrator of a workspace can not use up the budgets of the organization', async () => {
  const { id, key } = await app.workspace();
  await app.query(
    `insert into budgets (id, tenant_id, workspace_id, name, period, time_zone, max_tokens, warn_at)
     select gen_random_uuid(), tenant_id, id, 'Many', 'day', 'UTC', 1000, 80
     from workspaces, generate_series(1, 99) where id = $1`,
    [id],
  );
  const body = { name: 'One more', group_id: id, max_tokens: 1000, period: 'day' };
  const statusFor = async (options: object) => (await call('POST', '/v1/admin/budgets', body, options)).status;
  assert.deepEqual([await statusFor({ key }), await statusFor({ key }), await statusFor({})], [200, 409, 200]);
  await app.query('delete from budgets where workspace_id = $1', [id]);
});
