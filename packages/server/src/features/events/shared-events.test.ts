import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openaiProvider } from '../../../test/providers/openai-provider.ts';
import { listenOnSocket } from '../../../test/support/socket-client.ts';
import { testConfig } from '../../../test/support/test-config.ts';
import { testServer } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { makeApp } from '../../app.ts';
import { makeLog } from '../../lib/log.ts';
import { knowledgeApp } from '../knowledge-bases/testing.ts';
import { as, makePeopleIn } from '../people/testing.ts';
import { makeReaderQueue, mostWaiting } from './reader.ts';
import { openEventsAt } from './testing.ts';

const kb = await knowledgeApp();
const { call, query, admin } = kb;
const open = openEventsAt((await listenOnSocket(kb.app)).port);
const key = { 'x-api-key': admin };

/** Another node: the whole program once more on the same database, without jobs. */
const [{ name: database }] = await query('select current_database() as name');
const other = await makeApp(testConfig('/nowhere'), { ...testServer(), database }, makeLog('silent'));
after(() => other.close());
const openThere = openEventsAt((await listenOnSocket(other)).port);

test('events reach the readers of every node, in the same order and with the same ids', async () => {
  const [here, there] = [await open(key, '?types=agent'), await openThere(key, '?types=agent')];
  const ids: string[] = [];
  for (const name of ['one', 'two', 'three'])
    ids.push((await call('POST', '/v1/agents', { name, definition: { model: ['atrium/extractive'] } })).json.id);
  for (const stream of [here, there]) await stream.heard('agent.created', ids[2]);
  const received = (stream: typeof here) => stream.events.slice(1).map(({ id, target_id }) => [id, target_id]);
  assert.deepEqual(
    received(here).map(([, target_id]) => target_id),
    ids,
  );
  assert.deepEqual(received(there), received(here));
  const again = await openThere({ ...key, 'last-event-id': here.events[1]?.id as string }, '?types=agent');
  await again.heard('agent.created', ids[2]);
  assert.deepEqual(
    received(here).slice(1),
    again.events.map(({ id, target_id }) => [id, target_id]),
  );
});

test('events of documents are for those who see the document at that moment', async () => {
  const { aMember } = await makePeopleIn({ call });
  const [bo, cy] = [await aMember('Reader'), await aMember('Reader')];
  const id = await kb.base();
  const [all, ofBo, ofCy] = [
    await open(key, '?types=document'),
    await open(as(bo.cookie).headers, '?types=document'),
    await open(as(cy.cookie).headers, '?types=document'),
  ];
  const make = async (name: string, visible_to: object[]) => {
    const made = await call('POST', `${kb.at}/${id}/document`, { name, visible_to });
    assert.equal(made.status, 200, made.text);
    return made.json.id as string;
  };
  const secret = await make('secret', [{ kind: 'person', id: bo.id }]);
  const known = await make('known', [{ kind: 'everybody' }]);
  for (const stream of [all, ofBo, ofCy]) await stream.heard('document.created', known);
  const about = (stream: typeof all, document: string) =>
    stream.events.filter(({ target_id }) => target_id === document).map(({ event }) => event);
  assert.deepEqual(about(ofBo, secret).sort(), ['document.created', 'document.shared']);
  assert.deepEqual(about(ofCy, secret), []);
  await call('PATCH', `${kb.at}/${id}/document/${known}`, { visible_to: [{ kind: 'person', id: bo.id }] });
  for (const document of [secret, known]) await call('DELETE', `${kb.at}/${id}/document/${document}`);
  const last = await make('last', [{ kind: 'everybody' }]);
  for (const stream of [all, ofBo, ofCy]) await stream.heard('document.created', last);
  assert.ok(about(all, secret).includes('document.deleted') && about(all, known).includes('document.deleted'));
  assert.ok(!about(ofCy, secret).length && !about(ofCy, known).includes('document.deleted'));
});

test('the state of a knowledge base with hidden documents is told only to those who see all of them', async () => {
  const { aMember } = await makePeopleIn({ call });
  const [bo, cy] = [await aMember('Reader'), await aMember('Reader')];
  const [hidden, plain] = [await kb.base(), await kb.base()];
  const all = await open(key);
  const [ofBo, ofCy] = [await open(as(bo.cookie).headers), await open(as(cy.cookie).headers)];
  const setStatus = (id: string, status: string) =>
    query('update knowledge_bases set status = $2 where id = $1', [id, status]);
  const visible_to = [{ kind: 'person', id: bo.id }];
  const made = await call('POST', `${kb.at}/${hidden}/document`, { name: 'secret', visible_to });
  assert.equal(made.status, 200, made.text);
  await setStatus(hidden, 'ready');
  await call('DELETE', `${kb.at}/${hidden}/document/${made.json.id}`);
  await setStatus(hidden, 'training');
  await setStatus(plain, 'training');
  for (const stream of [all, ofBo, ofCy]) await stream.heard('knowledge_base.status', plain);
  const about = (stream: typeof all) =>
    stream.events.filter(({ kind, target_id }) => kind === 'knowledge_base' && target_id === hidden);
  assert.ok(about(all).some(({ event }) => event === 'knowledge_base.status'));
  assert.deepEqual([about(ofBo), about(ofCy)], [[], []]);
});

test('ids of events count nothing: neither events before nor hidden ones between two', async () => {
  const place = await kb.workspace();
  const stream = await open({ 'x-api-key': place.key }, '?types=table');
  const make = async (path: string, body: object) => (await call('POST', path, body, { key: place.key })).json.id;
  await make('/v1/tables', { name: 'one' });
  for (const name of ['a', 'b', 'c']) await make('/v1/agents', { name });
  const last = await make('/v1/tables', { name: 'two' });
  await stream.heard('table.created', last);
  for (const { id } of stream.events) assert.match(id, /^[\w-]{22}$/);
  assert.equal(new Set(stream.events.map(({ id }) => id)).size, 3);
  const again = await open({ 'x-api-key': place.key, 'last-event-id': stream.events[1]?.id as string }, '?types=table');
  await again.heard('table.created', last);
  assert.deepEqual(again.names(), ['table.created']);
  // A number that a client tries says nothing about how many there were.
  for (const tried of ['0', '1', '3', '4', '9']) {
    const probed = await open({ 'x-api-key': place.key, 'last-event-id': tried }, '?seconds=0');
    assert.deepEqual(probed.names(), ['reset'], tried);
  }
});

test('a model that fails three times in a row is told of, and so is its recovery', async () => {
  const provider = await openaiProvider();
  after(() => provider.close());
  const account = {
    provider: 'openai-compatible',
    name: 'shaky',
    base_urls: [provider.url],
    api_key: 'k',
    models: ['one'],
  };
  assert.equal((await call('POST', '/v1/admin/providers', account)).status, 200);
  const stream = await open(key, '?types=model');
  const settings = { model: ['shaky/one'], max_retries_per_model: 0, pii_anonimization: [] };
  const say = async () => {
    const { id } = (await call('POST', '/v1/conversations', { name: 'x', settings })).json;
    await call('POST', `/v1/conversations/${id}`, { content: 'Hello' });
  };
  for (let count = 0; count < 3; count++) {
    assert.deepEqual(stream.names(), ['ready']);
    provider.reply({ status: 500, error: 'away' });
    await say();
  }
  assert.equal((await stream.heard('model.failing')).target_id, 'shaky/one');
  provider.reply({ text: 'Here again.' });
  await say();
  await stream.heard('model.recovered', 'shaky/one');
  assert.deepEqual(await query('select 1 from model_health'), []);
});

test('a stream ends when the server is stopped, and a workspace with readers can be deleted', async () => {
  const place = await kb.workspace();
  const own = { 'x-api-key': place.key };
  const stream = await openThere(own);
  await call('POST', '/v1/agents', { name: 'x' }, { key: place.key });
  await call('POST', '/v1/conversations', { name: 'x' }, { key: place.key });
  const gone = await call('DELETE', `/v1/admin/groups/${place.id}`);
  assert.equal(gone.status, 200, gone.text);
  await until('the stream is cut off', () => stream.state() !== 'open');
  const last = await openThere(key);
  await other.close();
  await until('the stream is over', () => last.state() !== 'open');
});

test('a reader that does not read is cut off before its events fill the memory', async () => {
  let closed = 0;
  const queue = makeReaderQueue(() => closed++);
  const frames = Array.from({ length: mostWaiting }, (_, id) => ({ id: String(id), data: '{}' }));
  const reading = queue.frames();
  assert.equal(queue.push(frames), true);
  assert.deepEqual((await reading.next()).value, frames[0]);
  assert.equal(queue.push(frames), true, 'what is being sent does not count');
  assert.equal(queue.push([{ data: '{}' }]), false);
  await assert.rejects(async () => {
    for await (const frame of reading) assert.ok(frame);
  }, /too slow/);
  assert.equal(closed, 1);
});
