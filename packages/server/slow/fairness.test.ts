// Alone on the machine: it measures the heap and waits of milliseconds.
import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { test } from 'node:test';
import { scriptedApp } from '../test/support/scripted-app.ts';
import { until } from '../test/support/two-nodes.ts';

const app = await scriptedApp({ max_runs: 2, max_runs_per_workspace: 1 });
const { server, name } = await app.provider();
server.models = ['one'];
const settings = { model: [`${name}/one`] };

/** Sends a message in a new conversation and does not wait for the reply; the run continues in the background. */
async function say(key: string, content: string): Promise<string> {
  const made = await app.call('POST', '/v1/conversations', { name: 'test', settings }, { key });
  const url = `/v1/conversations/${made.json.id}/stream`;
  app.app.server.inject({ method: 'POST', url, headers: { 'x-api-key': key }, payload: { content } }).catch(() => {});
  await until(
    'it is there',
    async () => (await app.query('select 1 from runs where conversation_id = $1', [made.json.id])).length > 0,
  );
  return made.json.id;
}

/** The heap in use after garbage collection, in megabytes. */
async function held(): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/** Looks at the runs again and again until all are over; how many were under way at most, of all and of one place. */
async function watch(count: number, looked: (most: { all: number }) => void = () => {}) {
  const most = { all: 0, of_one: 0 };
  await until('all are over', async () => {
    const rows = await app.query(`select workspace_id, finished_at, status from runs`);
    const going = rows.filter(({ status }) => status === 'running');
    const places = Map.groupBy(going, ({ workspace_id }) => workspace_id).values();
    most.all = Math.max(most.all, going.length);
    most.of_one = Math.max(most.of_one, ...[...places].map(({ length }) => length));
    looked(most);
    return rows.length === count && rows.every(({ finished_at }) => finished_at);
  });
  return most;
}

test('past the limits runs wait in order, and workspaces take turns', async () => {
  const [a, b] = [await app.workspace(), await app.workspace()];
  const seen = Promise.withResolvers<void>();
  for (let reply = 0; reply < 5; reply++) server.reply({ text: 'Yes.', after: seen.promise });
  // The first workspace has sent all of its own before the second comes.
  for (const content of ['a1', 'a2', 'a3', 'a4']) await say(a.key, content);
  const last = await say(b.key, 'b1');
  const waiting = await app.query(`select input->>'content' as content from runs where status = 'queued' order by id`);
  assert.ok(!waiting.some(({ content }) => content === 'b1'), 'the second workspace has room at once');
  assert.deepEqual(
    waiting.map(({ content }) => content),
    ['a2', 'a3', 'a4'],
    'the others wait',
  );
  const most = await watch(5, ({ all }) => all === 2 && seen.resolve());
  assert.deepEqual(most, { all: 2, of_one: 1 });

  const order = await app.query(`select input->>'content' as content from runs order by started_at`);
  const begun = order.map(({ content }) => content as string);
  assert.deepEqual(
    begun.filter((content) => content.startsWith('a')),
    ['a1', 'a2', 'a3', 'a4'],
  );
  assert.ok(begun.indexOf('b1') < begun.indexOf('a3'), begun.join(' '));
  const { json } = await app.call('GET', `/v1/conversations/${last}`, undefined, { key: b.key });
  assert.equal(json.status, 'completed');
});

test('forty that wait hold no memory of the node to speak of, and all have their turn', async () => {
  await app.query('delete from runs');
  const places = await Promise.all(Array.from({ length: 4 }, () => app.workspace()));
  const text = 'x'.repeat(100_000);
  for (let reply = 0; reply < 40; reply++) server.reply({ text: 'Yes.', delay_ms: 30 });
  const before = await held();
  for (let sent = 0; sent < 40; sent++) await say((places[sent % 4] as { key: string }).key, `${sent} ${text}`);
  const more = (await held()) - before;
  const most = await watch(40);
  assert.ok(most.all <= 2 && most.of_one <= 1, JSON.stringify(most));
  assert.ok(more < 100, `${more.toFixed(0)} MB more`);
  const failed = await app.query(`select id from runs where status <> 'completed'`);
  assert.deepEqual(failed, []);
});
