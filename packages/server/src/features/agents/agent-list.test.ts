import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { agentApp, validationErrorsOf } from './testing.ts';

const { call, make, get, good, workspace, app } = await agentApp();
const namesIn = ({ json }: { json: { items: { name: string }[] } }) => json.items.map(({ name }) => name);

test('a list is paged, the latest changed first, in the envelope clients read', async () => {
  const { key } = await workspace();
  const as = (method: string, path: string, body?: unknown) => app.call(method, path, body, { key });
  for (let index = 1; index <= 5; index++) await as('POST', '/v1/agents', { name: `a${index}` });
  const { json } = await as('GET', '/v1/agents?page=1&size=2');
  assert.deepEqual([json.total, json.page, json.size, json.pages], [5, 1, 2, 3]);
  assert.deepEqual(namesIn({ json }), ['a5', 'a4']);
  assert.deepEqual(namesIn(await as('GET', '/v1/agents?page=3&size=2')), ['a1']);
  assert.deepEqual(namesIn(await as('GET', '/v1/agents?page=9&size=2')), []);
  assert.equal((await as('GET', '/v1/agents')).json.size, 50);
});

test('page and size have their bounds', async () => {
  assert.deepEqual(validationErrorsOf(await call('GET', '/v1/agents?page=0&size=101')), [
    'query.page: greater_than_equal',
    'query.size: less_than_equal',
  ]);
  assert.deepEqual(validationErrorsOf(await call('GET', '/v1/agents?size=0&page=x')), [
    'query.page: int_parsing',
    'query.size: greater_than_equal',
  ]);
  assert.equal((await call('GET', '/v1/agents?page=9007199254740991&size=100')).status, 200);
});

test('search finds part of a name in any case, and takes no wildcards', async () => {
  await make({ name: 'Quarterly 100% Report' });
  for (const search of ['quarterly', '100%25 r', 'REPORT'])
    assert.equal((await call('GET', `/v1/agents?search=${search}`)).json.total, 1, search);
  for (const search of ['q%25r', 'quarterly_', 'nothing'])
    assert.equal((await call('GET', `/v1/agents?search=${search}`)).json.total, 0, search);
});

test('a list item is the agent as get answers it', async () => {
  const { id } = await make({ name: 'The very same', definition: { persona: 'p', top_k: 3 } });
  const { json } = await call('GET', '/v1/agents?search=the very same');
  assert.deepEqual(json.items, [await get(id)]);
});

test('a summary says who has a draft of the agent, and nothing of its settings', async () => {
  const { id } = await make({ name: 'Summed up with a draft', definition: { persona: 'p' } });
  const listed = async () => (await call('GET', '/v1/agents?view=summary&search=summed up with')).json.items[0];
  assert.equal((await listed()).draft, null);
  await call('PATCH', `/v1/agents/${id}?preview=true`, { definition: { top_k: 3 } });
  const { draft, ...summary } = await listed();
  assert.deepEqual(draft, (await get(id)).draft);
  assert.ok(draft.by_actor.name && !('draft_definition' in summary) && !('definition' in summary));
});

test('a deleted agent is 404 everywhere, listed only on request, and comes back whole', async () => {
  const made = await make({ name: 'Going and coming', definition: { top_k: 7 } });
  const at = `/v1/agents/${made.id}`;
  assert.deepEqual(good(await call('DELETE', at)), { success: true });
  const everywhere: [string, string, unknown?][] = [
    ['GET', at],
    ['PATCH', at, { name: 'x' }],
    ['PATCH', `${at}?preview=true`, { definition: {} }],
    ['DELETE', at],
    ['GET', `${at}/versions`],
    ['POST', `${at}/versions`, {}],
    ['GET', `${at}/versions/${made.version_id}`],
    ['POST', `${at}/versions/${made.version_id}/publish`],
    ['GET', `${at}/versions/diff?from=${made.version_id}&to=${made.version_id}`],
    ['GET', `${at}/export`],
    ['POST', `/v1/agents/import?agent_id=${made.id}`, { format: 'atrium.agent', version: 1, agent: { name: 'x' } }],
    ['POST', `/v1/conversations?assistant_id=${made.id}`, {}],
  ];
  for (const [method, path, body] of everywhere) {
    const answer = await call(method, path, body);
    assert.equal(answer.status, 404, `${method} ${path} ${answer.text}`);
    assert.deepEqual(answer.json, { detail: 'No such agent', code: 'not_found' });
  }
  assert.deepEqual(namesIn(await call('GET', '/v1/agents?search=going')), []);
  const gone = (await call('GET', '/v1/agents?deleted=true&search=going')).json.items[0];
  assert.equal(gone.id, made.id);
  assert.match(gone.deleted_at, /Z$/);

  assert.deepEqual(good(await call('POST', `${at}/restore`)), { success: true });
  const { etag, ...back } = await get(made.id);
  const { etag: before, ...was } = made;
  assert.deepEqual(back, was);
  assert.notEqual(etag, before);
  assert.deepEqual(namesIn(await call('GET', '/v1/agents?deleted=True&search=going')), []);
});

test('restoring an agent that is there is a success that changes nothing', async () => {
  const made = await make();
  assert.deepEqual(good(await call('POST', `/v1/agents/${made.id}/restore`)), { success: true });
  assert.deepEqual(await get(made.id), made);
  assert.equal((await call('POST', `/v1/agents/${randomUUID()}/restore`)).status, 404);
});

test('conversations of a deleted agent stay readable and deletable', async () => {
  const { id } = await make({ definition: { top_k: 9 } });
  const talk = good(await call('POST', `/v1/conversations?assistant_id=${id}`, { name: 'talk' }));
  await call('DELETE', `/v1/agents/${id}`);
  const read = good(await call('GET', `/v1/conversations/${talk.id}`));
  assert.deepEqual([read.assistant_id, read.settings.top_k], [id, 9]);
  const named = { assistant_version_id: talk.assistant_version_id };
  assert.equal((await call('POST', '/v1/conversations', named)).status, 404);
  assert.deepEqual(good(await call('DELETE', `/v1/conversations/${talk.id}`)), { success: true });
});
