import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { agentApp, validationErrorsOf } from '../testing.ts';

const { call, make, get, good } = await agentApp();
type Version = { id: string; number: number; name: string; is_published: boolean };
const patch = async (id: string, body: unknown, query = '') =>
  good(await call('PATCH', `/v1/agents/${id}${query}`, body));

test('an agent begins with version 1, and each change of its settings adds the next', async () => {
  const made = await make({ definition: { top_k: 1 } });
  const after = await patch(made.id, { definition: { top_k: 2 } });
  const versions = good(await call('GET', `/v1/agents/${made.id}/versions`));
  const told = versions.map((v: Version) => [v.number, v.name, v.is_published, v.id]);
  assert.deepEqual(told, [
    [2, 'v2', true, after.version_id],
    [1, 'v1', false, made.version_id],
  ]);
  const { definition, created_at, created_by, created_by_actor, ...rest } = versions[1];
  assert.deepEqual(rest, {
    id: made.version_id,
    agent_id: made.id,
    group_id: made.group_id,
    number: 1,
    name: 'v1',
    description: null,
    is_published: false,
    override_reason: null,
    override_by: null,
    override_by_actor: null,
    override_at: null,
  });
  assert.deepEqual(definition, made.definition);
  assert.match(created_by, /^[0-9a-f-]{36}$/);
  assert.deepEqual(created_by_actor, { id: created_by, name: 'test', kind: 'service_account_key' });
  assert.match(created_at, /Z$/);
  assert.deepEqual(good(await call('GET', `/v1/agents/${made.id}/versions/${made.version_id}`)), versions[1]);
});

test('a version stays the same when its agent changes', async () => {
  const made = await make({ definition: { persona: 'first' } });
  const at = `/v1/agents/${made.id}/versions/${made.version_id}`;
  const before = good(await call('GET', at));
  await patch(made.id, { name: 'Other', definition: { persona: 'second' } });
  await patch(made.id, { definition: { persona: 'third' } }, '?preview=true');
  assert.deepEqual(good(await call('GET', at)), { ...before, is_published: false });
  for (const method of ['PATCH', 'PUT', 'DELETE'])
    assert.ok([404, 405].includes((await call(method, at, {})).status), method);
});

test('a version is made of the settings given over what is published, and published when asked', async () => {
  const made = await make({ definition: { top_k: 1, top_p: 0.5 } });
  const at = `/v1/agents/${made.id}/versions`;
  const body = { name: 'Wide', description: 'more', definition: { top_k: 9 } };
  const version = good(await call('POST', at, body));
  assert.deepEqual(
    [version.number, version.name, version.description, version.is_published],
    [2, 'Wide', 'more', false],
  );
  assert.deepEqual([version.definition.top_k, version.definition.top_p], [9, 0.5]);
  assert.deepEqual((await get(made.id)).definition, made.definition);
  const live = good(await call('POST', at, { definition: { top_k: 10 }, publish: true }));
  assert.equal(live.is_published, true);
  assert.deepEqual([(await get(made.id)).version_id, (await get(made.id)).definition.top_k], [live.id, 10]);
});

test('without settings a version is made of the draft, else of what is published', async () => {
  const { id } = await make({ definition: { top_k: 1 } });
  const at = `/v1/agents/${id}/versions`;
  assert.equal(good(await call('POST', at, {})).definition.top_k, 1);
  await patch(id, { definition: { top_k: 2 } }, '?preview=true');
  assert.equal(good(await call('POST', at, {})).definition.top_k, 2);
  assert.equal((await get(id)).draft_definition.top_k, 2);
});

test('publishing the draft as a version ends the draft', async () => {
  const { id } = await make({ definition: { top_k: 1 } });
  await patch(id, { definition: { top_k: 2 } }, '?preview=true');
  await call('POST', `/v1/agents/${id}/versions`, { publish: 'true' });
  const { definition, draft_definition } = await get(id);
  assert.deepEqual([definition.top_k, draft_definition], [2, null]);
});

test('an older version can be published again, and new conversations use it', async () => {
  const made = await make({ definition: { top_k: 1 } });
  await patch(made.id, { definition: { top_k: 2 } });
  const talk = async () => good(await call('POST', `/v1/conversations?assistant_id=${made.id}`, {}));
  const newer = await talk();
  await patch(made.id, { definition: { top_k: 3 } }, '?preview=true');
  const published = good(await call('POST', `/v1/agents/${made.id}/versions/${made.version_id}/publish`));
  assert.deepEqual([published.number, published.is_published], [1, true]);
  const after = await get(made.id);
  assert.deepEqual([after.version_id, after.definition.top_k, after.draft_definition], [made.version_id, 1, null]);
  assert.notEqual(after.etag, made.etag);
  assert.equal((await talk()).settings.top_k, 1);
  assert.equal(good(await call('GET', `/v1/conversations/${newer.id}`)).settings.top_k, 2);
  assert.equal(good(await call('GET', `/v1/agents/${made.id}/versions`)).length, 2);
});

test('a diff shows exactly the keys that differ, before and after', async () => {
  const made = await make({ definition: { persona: 'old', top_k: 1, tools: [{ type: 'a' }] } });
  const { version_id } = await patch(made.id, {
    definition: { persona: 'new', top_k: 1, temperature: 0.1, tools: [{ type: 'a' }] },
  });
  const diff = async (from: string, to: string) =>
    good(await call('GET', `/v1/agents/${made.id}/versions/diff?from=${from}&to=${to}`));
  const text = (words: string) => [{ text: words, definition: { type: 'doc', content: [] } }];
  const { from, to, changes } = await diff(made.version_id, version_id);
  assert.deepEqual([from, to], [made.version_id, version_id]);
  const byKey = (a: { key: string }, b: { key: string }) => a.key.localeCompare(b.key);
  assert.deepEqual(changes.sort(byKey), [
    { key: 'persona', before: text('old'), after: text('new') },
    { key: 'temperature', before: 0.7, after: 0.1 },
  ]);
  assert.deepEqual((await diff(version_id, made.version_id)).changes.sort(byKey)[1], {
    key: 'temperature',
    before: 0.1,
    after: 0.7,
  });
  assert.deepEqual((await diff(version_id, version_id)).changes, []);
});

test("an agent's version is not another agent's", async () => {
  const [one, two] = [await make(), await make()];
  const unknown = randomUUID();
  for (const id of [two.version_id, unknown]) {
    const at = `/v1/agents/${one.id}/versions`;
    const answers = [
      await call('GET', `${at}/${id}`),
      await call('POST', `${at}/${id}/publish`),
      await call('GET', `${at}/diff?from=${one.version_id}&to=${id}`),
      await call('POST', `/v1/conversations?assistant_id=${one.id}`, { assistant_version_id: id }),
    ];
    for (const { status, json } of answers) assert.deepEqual([status, json.detail], [404, 'No such version']);
  }
  assert.deepEqual(validationErrorsOf(await call('GET', `/v1/agents/${one.id}/versions/diff?from=x`)), [
    'query.from: uuid_parsing',
    'query.to: missing',
  ]);
});
