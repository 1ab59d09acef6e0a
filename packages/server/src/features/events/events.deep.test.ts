import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { listenOnSocket } from '../../../test/support/socket-client.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { as, makePeopleIn } from '../people/testing.ts';
import { openEventsAt } from './testing.ts';

const testing = await testApp({ roles: ['http', 'worker'] });
const { app, call, workspace, query } = testing;
const { port } = await listenOnSocket(app);
const open = openEventsAt(port);
const withKey = (key: string) => ({ 'x-api-key': key });
const { aMember } = await makePeopleIn(testing);
const own = await workspace();
const byKey = { key: own.key };
const definition = { model: ['atrium/extractive'], pii_anonimization: [] };

async function done(method: string, path: string, body?: unknown, by: object = byKey) {
  const answer = await call(method, path, body, by);
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
}

suite('the events of a workspace', { concurrency: false }, () => {
  test('tell who changed what, with ids that rise by one', async () => {
    const stream = await open(withKey(own.key));
    assert.equal(stream.events[0]?.event, 'ready');
    const agent = await done('POST', '/v1/agents', { name: 'Desk', definition });
    const created = await stream.heard('agent.created', agent.id);
    assert.deepEqual(
      [created.kind, created.actor?.name, created.actor?.kind],
      ['agent', 'test', 'service_account_key'],
    );
    const version = await done('POST', `/v1/agents/${agent.id}/versions`, { name: 'v2' });
    await done('POST', `/v1/agents/${agent.id}/versions/${version.id}/publish`);
    await stream.heard('agent.published', agent.id);
    const workflow = await done('POST', '/v1/workflows', { name: 'Flow', definition: { nodes: [], edges: [] } });
    await done('PATCH', `/v1/workflows/${workflow.id}`, { name: 'Flow 2' });
    await stream.heard('workflow.updated', workflow.id);
    const ids = stream.events.map(({ id }) => Number(id));
    assert.deepEqual(
      ids,
      ids.map((_, index) => (ids[0] as number) + index),
    );
  });

  test('tell of conversations, runs and approvals without their words', async () => {
    const stream = await open(withKey(own.key));
    const tools = [{ type: 'clock', requires_approval: true }];
    const agent = await done('POST', '/v1/agents', { name: 'Clock', definition: { ...definition, tools } });
    const { id } = await done('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'Heliotrope' });
    await stream.heard('conversation.created', id);
    const at = `/v1/conversations/${id}`;
    await done('POST', at, { content: 'Heliotrope time?', tool: 'clock_now' });
    const started = await stream.heard('run.started');
    assert.deepEqual(started.parent, { kind: 'conversation', id });
    const asked = await stream.heard('approval.asked');
    assert.deepEqual([asked.data.status, asked.data.run_id], ['pending', started.target_id]);
    await done('POST', `${at}/approvals/${asked.target_id}`, { decision: 'approve', note: 'Heliotrope' });
    const answered = await stream.heard('approval.answered', asked.target_id as string);
    assert.deepEqual([answered.data.status, answered.actor?.name], ['approved', 'test']);
    const over = await stream.heard('run.completed', started.target_id as string);
    assert.equal(over.data.status, 'completed');
    await done('PATCH', at, { name: 'Heliotrope 2' });
    await stream.heard('conversation.updated', id);
    await done('DELETE', at);
    await stream.heard('conversation.deleted', id);
    assert.doesNotMatch(JSON.stringify(stream.events), /heliotrope/i);
  });

  test('are only those that the client asked for', async () => {
    const stream = await open(withKey(own.key), '?types=table,agent.deleted');
    const agent = await done('POST', '/v1/agents', { name: 'x', definition });
    const table = await done('POST', '/v1/tables', { name: 'events', columns: [{ name: 'name', type: 'text' }] });
    await done('DELETE', `/v1/agents/${agent.id}`);
    await stream.heard('agent.deleted', agent.id);
    assert.deepEqual(stream.names(), ['ready', 'table.created', 'agent.deleted']);
    assert.equal(stream.events[1]?.target_id, table.id);
    const wrong = await call('GET', '/v1/events?types=weather', undefined, byKey);
    assert.equal(wrong.status, 422, wrong.text);
  });

  test('go on after the last id that a client has, and say reset when they can not', async () => {
    const stream = await open(withKey(own.key), '?types=agent');
    const make = (name: string) => done('POST', '/v1/agents', { name, definition });
    const first = await stream.heard('agent.created', (await make('one')).id);
    stream.stop();
    const second = await make('two');
    const third = await make('three');
    const headers = { ...withKey(own.key), 'last-event-id': first.id };
    const again = await open(headers, '?types=agent');
    await again.heard('agent.created', third.id);
    assert.deepEqual(
      again.events.map(({ target_id }) => target_id),
      [second.id, third.id],
      'nothing is missing and nothing comes twice',
    );
    for (const strange of ['999999', 'nonsense', '-1']) {
      const reset = await open(withKey(own.key), `?seconds=0&last_event_id=${strange}`);
      assert.deepEqual([reset.names(), reset.events[0]?.data.reason], [['reset'], 'missed'], strange);
    }
    await query('update event_feeds set first_seq = last_seq + 1 where workspace_id = $1', [own.id]);
    const late = await open(headers, '?seconds=0');
    assert.deepEqual(late.names(), ['reset'], 'what was deleted can not be sent');
    await until('the stream ends', () => late.state() === 'ended');
    await query(`update event_feeds set first_seq = 1 where workspace_id = $1`, [own.id]);
  });

  test('begin anew after a time in which no reader watched', async () => {
    const place = await workspace();
    const stream = await open(withKey(place.key));
    const { id } = await done('POST', '/v1/agents', { name: 'x', definition }, { key: place.key });
    const last = await stream.heard('agent.created', id);
    stream.stop();
    await query(`update event_feeds set watched_until = now() - interval '1 second' where workspace_id = $1`, [
      place.id,
    ]);
    await done('PATCH', `/v1/agents/${id}`, { name: 'unseen' }, { key: place.key });
    const other = await namesOnFreshFeed(place.key, last.id);
    assert.deepEqual(other, ['reset']);
  });

  /** What a reader is sent once the node has forgotten the feed, as nodes do that have no readers. */
  async function namesOnFreshFeed(key: string, last_event_id: string): Promise<string[]> {
    const headers = { ...withKey(key), 'last-event-id': last_event_id };
    return until('the node has forgotten its feed', async () => {
      const names = (await open(headers, '?seconds=0')).names();
      return names.includes('reset') ? names : undefined;
    });
  }

  test('are those that a caller may see: other workspaces, weaker keys and other people get less', async () => {
    const place = await workspace();
    const admin = { key: place.key };
    const keyWith = async (...permissions: string[]) =>
      (await call('POST', `/v1/admin/groups/${place.id}/api-keys`, { name: 'weak', permissions })).json.value as string;
    const bo = await aMember('Reader', place.id);
    const cy = await aMember('Reader', place.id);
    const [tableKey, agentKey] = [await keyWith('tables_read'), await keyWith('agents_run', 'conversations_read')];
    const weakAgentKey = await keyWith('agents_run');
    const [all, tables, agents, ofOwn, ofBo, ofCy, elsewhere] = await Promise.all([
      open(withKey(place.key)),
      open(withKey(tableKey)),
      open(withKey(agentKey)),
      open(withKey(weakAgentKey)),
      open(as(bo.cookie).headers),
      open(as(cy.cookie).headers),
      open(withKey(own.key)),
    ]);
    const agent = await done('POST', '/v1/agents', { name: 'x', definition }, admin);
    const talk = await done('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'y' }, as(bo.cookie));
    await done('POST', `/v1/conversations/${talk.id}`, { content: 'Hello' }, as(bo.cookie));
    await done('POST', '/v1/variables', { name: 'events_x', inline_value: 'x' }, admin);
    const table = await done('POST', '/v1/tables', { name: 'z', columns: [{ name: 'name', type: 'text' }] }, admin);
    for (const stream of [all, tables]) await stream.heard('table.created', table.id);
    const shown = (stream: typeof all) => new Set(stream.events.map(({ kind }) => kind ?? 'none'));
    assert.deepEqual(shown(all), new Set(['none', 'agent', 'conversation', 'run', 'variable', 'table']));
    assert.deepEqual(shown(tables), new Set(['none', 'table']));
    await ofBo.heard('run.completed');
    await agents.heard('run.completed');
    assert.deepEqual(shown(agents), new Set(['none', 'agent', 'conversation', 'run']));
    for (const stream of [ofCy, ofOwn])
      assert.deepEqual(
        stream.events.filter(({ kind }) => kind === 'conversation' || kind === 'run'),
        [],
        'the conversations of another person stay theirs',
      );
    assert.deepEqual(elsewhere.names(), ['ready']);
    const shared = await done('POST', `/v1/conversations/${talk.id}/share`, undefined, as(bo.cookie));
    const guest = await call('GET', '/v1/events?seconds=0', undefined, { key: shared.public_access_token });
    assert.equal(guest.status, 401, 'the secret of a link is no key');
    assert.equal((await call('GET', '/v1/events?seconds=0', undefined, { key: null })).status, 401);
  });

  test('follow the rights of the caller while the stream is open', async () => {
    const place = await workspace();
    const keys = `/v1/admin/groups/${place.id}/api-keys`;
    const weak = (await call('POST', keys, { name: 'weak', permissions: ['agents_run'] })).json;
    const bo = await aMember('Reader', place.id);
    const [stream, all] = [await open(withKey(weak.value)), await open(withKey(place.key))];
    const ofBo = await open(as(bo.cookie).headers);
    const agent = (name: string) => done('POST', '/v1/agents', { name, definition }, { key: place.key });
    const first = await agent('first');
    for (const one of [stream, ofBo]) await one.heard('agent.created', first.id);
    await done('PATCH', `${keys}/${weak.id}`, { permissions: ['tables_read'] }, {});
    const second = await agent('second');
    await all.heard('agent.created', second.id);
    assert.equal((await stream.heard('reset')).data.reason, 'rights');
    await done('PATCH', `${keys}/${weak.id}`, { permissions: ['agents_run'] }, {});
    const third = await agent('third');
    await stream.heard('agent.created', third.id);
    assert.ok(!stream.events.some(({ target_id }) => target_id === second.id), 'nothing without the right to it');
    await done('DELETE', `/v1/admin/groups/${place.id}/members/${bo.id}`, undefined, {});
    await until('the stream is cut off', () => ofBo.state() !== 'open');
    await agent('fourth');
    assert.ok(!ofBo.names().includes('reset'));
  });

  test('end with the key that the stream was opened with', async () => {
    const place = await workspace();
    const made = (await call('POST', `/v1/admin/groups/${place.id}/api-keys`, { name: 'short' })).json;
    const stream = await open(withKey(made.value));
    await call('DELETE', `/v1/admin/groups/${place.id}/api-keys/${made.id}`);
    await until('the stream is cut off', () => stream.state() !== 'open');
  });
});

test('a session becomes idle although its stream of events is open', async () => {
  const brief = await testApp({ roles: ['http', 'worker'], session_idle_seconds: 2 });
  const people = await makePeopleIn(brief);
  const { cookie } = await people.aMember('Reader');
  const stream = await openEventsAt((await listenOnSocket(brief.app)).port)(as(cookie).headers);
  const start = Date.now();
  // Each event has the session looked at.
  for (let name = 0; stream.state() === 'open'; name++) {
    assert.ok(Date.now() - start < 60_000, 'the stream goes on');
    await brief.call('POST', '/v1/agents', { name: String(name), definition });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.ok(stream.names().includes('agent.created'));
  assert.equal((await brief.call('GET', '/v1/auth/session', undefined, as(cookie))).status, 401);
});
