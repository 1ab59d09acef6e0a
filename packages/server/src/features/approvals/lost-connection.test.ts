import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { testServer } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/two-nodes.ts';

const app = await scriptedApp();
const { server, name } = await app.provider();
const clock = { id: 'c0', name: 'clock_now', input: { time_zone: 'Europe/Oslo' } };

/** Holds a table, so that statements on it wait, until the returned function is called. */
async function holdTable(table: string): Promise<() => Promise<void>> {
  const [{ database }] = await app.query('select current_database() as database');
  const client = new pg.Client({ ...testServer(), database });
  client.on('error', () => {});
  after(() => client.end());
  await client.connect();
  await client.query('begin');
  await client.query(`lock table ${table}`);
  return async () => void (await client.query('commit'));
}

test('an approved run goes on when the connection that reads its placeholders is lost', async () => {
  const settings = { model: [`${name}/one`], tools: [{ type: 'clock', requires_approval: true }] };
  server.reply({ text: 'Let me look. ', tool_calls: [clock] }, { text: 'It is late.' });
  const id = await app.converse(settings);
  const url = `/v1/conversations/${id}`;
  await app.call('POST', url, { content: 'What time is it?' });
  const [approval] = (await app.call('GET', `${url}/approvals?status=pending`)).json.items;
  const release = await holdTable('conversation_placeholders');
  await app.call('POST', `${url}/approvals/${approval.id}`, { decision: 'approve' });
  await until('the connection is ended while it reads', async () => {
    const ended = await app.query(
      `select pg_terminate_backend(pid) from pg_locks
       where not granted and relation = 'conversation_placeholders'::regclass`,
    );
    return ended.length > 0;
  });
  await release();
  const { status, text, events } = await until('the run is over', async () => {
    const seen = await app.stored(id);
    return ['completed', 'failed', 'stopped'].includes(seen.status) ? seen : undefined;
  });
  assert.deepEqual([status, text], ['completed', 'Let me look. It is late.']);
  assert.equal(events.filter(({ type }) => type === 'tool-result').length, 1, 'the call is made once');
});
