import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { as, makePeopleIn } from '../people/testing.ts';

const app = await scriptedApp();
const { call, query } = app;
const people = await makePeopleIn(app);
const [ada, bo] = [await people.aMember('Editor'), await people.aMember('Reader')];
const good = async (method: string, path: string, body?: unknown, by: object = as(ada.cookie)) => {
  const answer = await call(method, path, body, by);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const keyWith = async (permissions: string[]) => {
  const made = await call('POST', `/v1/admin/groups/${people.home}/api-keys`, { name: 'k', permissions });
  return { key: made.json.value as string };
};

test('a draft says who changed it and when, until it is published', async () => {
  const { id, draft } = await good('POST', '/v1/agents', { name: 'Desk' });
  assert.equal(draft, null);
  const at = `/v1/agents/${id}`;
  const drafted = await good('PATCH', `${at}?preview=true`, { definition: { temperature: 0.1 } });
  assert.deepEqual([drafted.draft.by, drafted.draft.by_actor.kind], [ada.id, 'person']);
  assert.ok(Math.abs(Date.parse(drafted.draft.at) - Date.now()) < 60_000);
  const renamed = (await call('PATCH', at, { name: 'Help desk' })).json;
  assert.deepEqual(renamed.draft, drafted.draft, 'a change of the name is none of the draft');
  const other = (await call('PATCH', `${at}?preview=true`, { definition: { temperature: 0.2 } })).json;
  assert.notEqual(other.draft.by, ada.id);
  assert.equal((await good('PATCH', at, { definition: { temperature: 0.3 } })).draft, null);
});

test('every starting point makes an agent with its settings, without a warning', async () => {
  const points = await good('GET', '/v1/starting-points');
  assert.ok(points.length >= 8);
  assert.equal(new Set(points.map(({ key }: { key: string }) => key)).size, points.length);
  for (const { key, name, description, definition } of points) {
    const made = await good('POST', '/v1/agents', { name, starting_point: key });
    assert.deepEqual([made.description, made.warnings], [description, undefined], JSON.stringify(made.warnings));
    assert.deepEqual(made.definition.temperature, definition.temperature);
    assert.ok(JSON.stringify(made.definition.persona).includes(definition.persona));
    for (const { type } of definition.base_tools ?? []) {
      const tool = made.definition.base_tools.find((entry: { type: string }) => entry.type === type);
      assert.equal(tool.enabled, true, `${key} turns ${type} on`);
    }
  }
});

test('given fields win over those of a starting point, and an unknown one is 422', async () => {
  const body = { name: 'Mine', description: 'Own', starting_point: 'support-desk', definition: { temperature: 0.9 } };
  const made = await good('POST', '/v1/agents', body);
  assert.deepEqual([made.description, made.definition.temperature], ['Own', 0.9]);
  const unknown = await call('POST', '/v1/agents', { ...body, starting_point: 'none' });
  assert.deepEqual([unknown.status, unknown.json.detail[0].loc], [422, ['body', 'starting_point']]);
  const [first] = await good('GET', '/v1/starting-points');
  const { headers } = await call('GET', '/v1/starting-points');
  const same = await call('GET', '/v1/starting-points', undefined, {
    headers: { 'if-none-match': String(headers['etag']) },
  });
  assert.deepEqual([typeof first.key, same.status], ['string', 304]);
});

test('a duplicate has the settings and the draft of the agent, and its own life', async () => {
  const variable = await call('POST', '/v1/variables', { name: 'shop_token', inline_value: 's3cret', is_secret: true });
  const definition = {
    persona: 'You sell.',
    pii_lock: true,
    variables_enabled: true,
    variables: [variable.json.id],
    actions: [{ name: 'order', url: 'https://example.com/o', headers: { authorization: 'Bearer {{shop_token}}' } }],
  };
  const source = (await call('POST', '/v1/agents', { name: 'Shop', allow_public_access: true, definition })).json;
  await call('PATCH', `/v1/agents/${source.id}?preview=true`, { definition: { persona: 'You sell more.' } });
  const copy = (await call('POST', `/v1/agents/${source.id}/duplicate`, {})).json;
  const shown = (await call('GET', `/v1/agents/${source.id}`)).json;
  assert.deepEqual([copy.name, copy.allow_public_access], ['Copy of Shop', false]);
  assert.deepEqual(copy.definition, shown.definition);
  assert.deepEqual(copy.draft_definition, shown.draft_definition);
  assert.equal(copy.locks[0].lock, 'pii_lock');
  const named = (await call('POST', `/v1/agents/${source.id}/duplicate`, { name: 'Trial' })).json;
  await call('PATCH', `/v1/agents/${named.id}`, { definition: { persona: 'You buy.' } });
  assert.deepEqual((await call('GET', `/v1/agents/${source.id}`)).json.definition, shown.definition);
  assert.equal((await call('GET', `/v1/agents/${named.id}/versions`)).json.length, 2);
});

test('a duplicate keeps restrictions, and is refused to those who could not make such an agent', async () => {
  const weak = await keyWith(['agents_edit', 'agents_run', 'integrations_edit']);
  const action = { name: 'order', url: 'https://example.com/{{x}}' };
  const made = await call('POST', '/v1/agents', { name: 'Weak', definition: { actions: [action] } }, weak);
  assert.equal(made.status, 200, made.text);
  const restrictedOf = async (id: string) =>
    (await query('select restricted_settings from agent_versions where agent_id = $1', [id]))[0].restricted_settings;
  assert.ok((await restrictedOf(made.json.id)).includes('actions'));
  const copy = (await call('POST', `/v1/agents/${made.json.id}/duplicate`, {})).json;
  assert.deepEqual(await restrictedOf(copy.id), await restrictedOf(made.json.id));

  const base = (await call('POST', '/v1/knowledge-bases', { name: 'Secret' })).json;
  const strong = (await call('POST', '/v1/agents', { name: 'S', definition: { knowledge_bases: [base.id] } })).json;
  const refused = await call('POST', `/v1/agents/${strong.id}/duplicate`, {}, weak);
  assert.ok([403, 404, 422].includes(refused.status), refused.text);
  assert.equal((await call('POST', `/v1/agents/${strong.id}/duplicate`, {}, as(bo.cookie))).status, 403);
  const { key } = await app.workspace();
  assert.equal((await call('POST', `/v1/agents/${strong.id}/duplicate`, {}, { key })).status, 404);
});

test('people follow agents and stop; keys of no person do not, and readers see no followers', async () => {
  const { id } = await good('POST', '/v1/agents', { name: 'Followed' });
  const at = `/v1/agents/${id}`;
  for (let again = 0; again < 2; again++)
    assert.deepEqual(await good('POST', `${at}/follow`, undefined, as(bo.cookie)), { following: true });
  const [follower, ...none] = await good('GET', `${at}/followers`);
  assert.deepEqual([follower.person_id, none], [bo.id, []]);
  const [followed] = await good('GET', '/v1/me/followed-agents', undefined, as(bo.cookie));
  assert.deepEqual([followed.id, followed.name], [id, 'Followed']);
  assert.deepEqual(await good('GET', '/v1/me/followed-agents'), []);
  assert.equal((await call('GET', `${at}/followers`, undefined, as(bo.cookie))).status, 403);
  const byKey = await call('POST', `${at}/follow`);
  assert.deepEqual([byKey.status, byKey.json.code], [409, 'not_a_person']);
  const { key } = await app.workspace();
  assert.equal((await call('POST', `${at}/follow`, undefined, { key })).status, 404);
  assert.deepEqual(await good('DELETE', `${at}/follow`, undefined, as(bo.cookie)), { following: false });
  assert.deepEqual(await good('GET', `${at}/followers`), []);
});
