import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/two-nodes.ts';
import { addUp } from '../insights/testing.ts';
import { as, makePeopleIn } from '../people/testing.ts';
import { budgetApp, completion } from './testing.ts';

const app = await budgetApp({ roles: ['http', 'worker'] });
const people = await makePeopleIn(app);
const { call } = app;

test('limits a person in all workspaces or in one, by a session', async () => {
  const { group_id, agent_id, key, budget, look } = await app.place();
  const [bo, ada] = [await people.aMember('Editor', group_id), await people.aMember('Editor', group_id)];
  const say = async ({ cookie }: { cookie: string }) =>
    (await call('POST', '/v1/chat/completions', completion(agent_id), as(cookie))).status;
  const everywhere = await budget({ person_id: bo.id, group_id: undefined, max_tokens: 1_000_000 }, app.admin);
  const here = await budget({ person_id: bo.id, max_tokens: 1_000_000 });
  assert.deepEqual([everywhere.scope, everywhere.group_id, here.group_id], ['person', null, group_id]);
  assert.deepEqual([await say(bo), await say(ada)], [200, 200]);
  assert.deepEqual([(await look(everywhere.id)).used.tokens, (await look(here.id)).used.tokens], [18, 18]);
  await call('PATCH', `/v1/admin/budgets/${here.id}`, { max_tokens: 0 }, { key });
  assert.deepEqual([await say(bo), await say(ada)], [409, 200]);
  const read = await call('GET', `/v1/admin/budgets/${here.id}`, undefined, as(bo.cookie));
  assert.equal(read.status, 403, 'the limited person may not read it');
  const elsewhere = await app.place();
  const stranger = await people.aMember('Editor', elsewhere.group_id);
  const fields = { name: 'n', group_id, person_id: stranger.id, max_tokens: 1, period: 'day' };
  assert.equal((await call('POST', '/v1/admin/budgets', fields, { key })).status, 404, 'no member of the workspace');
});

test('shows usage by person, key and workspace', async () => {
  const { group_id, agent_id, ok, complete } = await app.place();
  const { cookie, id } = await people.aMember('Editor', group_id);
  await call('POST', '/v1/chat/completions', completion(agent_id), as(cookie));
  await complete();
  await complete();
  const range = `time_start=${new Date(Date.now() - 3_600_000).toISOString()}&time_end=${new Date(Date.now() + 3_600_000).toISOString()}`;
  const by = async (group: string, metric = 'tokens') =>
    (await ok('GET', `/v1/analytics/${metric}?${range}&group_by=${group}`)).value;
  const me = await ok('GET', '/v1/admin/me');
  await until('all calls are recorded', async () => (await by('none&interval=none')) === 54);
  const expected = [
    { id: null, label: 'none', value: 36 },
    { id, label: 'Bo', value: 18 },
  ];
  assert.deepEqual(await by('person'), expected);
  await addUp(app);
  assert.deepEqual(await by('person'), expected, 'from the figures that are added up');
  assert.deepEqual((await by('person', 'runs')).at(-1), { id, label: 'Bo', value: 1 });
  const path = `/v1/analytics/tokens?${range}&group_by=workspace`;
  const compared = await ok('GET', path, undefined, app.admin);
  const here = compared.value.find((one: { id: string }) => one.id === group_id);
  assert.deepEqual(here, { id: group_id, label: 'test', value: 54 });
  assert.ok(compared.value.length > 1, 'the workspace of the test before has usage too');
  assert.equal((await call('GET', path, undefined, as(cookie))).status, 403);
  assert.deepEqual((await by('key'))[0], { id: me.id, label: me.name, value: 36 });
});
