import assert from 'node:assert/strict';
import { mock, suite, test } from 'node:test';
import pg from 'pg';
import { testApp } from '../../../../test/support/test-app.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import { withoutBubblewrap } from '../../../drivers/sandboxes/testing.ts';
import { sandboxConfig } from '../testing.ts';
import { readTerminal } from './testing.ts';

/** The most that one request may type; four of them fill what may wait. */
const typedBytes = 65_536;

const outcome = ({ status, json }: { status: number; json: { code?: string } }) =>
  `${status} ${json.code ?? ''}`.trim();

/** How often each outcome is among the answers. */
const countOutcomes = (answers: { status: number; json: { code?: string } }[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(answers, outcome)).map(([key, same]) => [key, same?.length]));

/** Counts the reads of output, by all clients of the database in this process. */
function countOutputReads() {
  let reads = 0;
  const original = pg.Client.prototype.query;
  const mocked = mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const [config] = args as [{ text?: string } | string];
    const text = typeof config === 'string' ? config : (config.text ?? '');
    if (/select[^;]*from sandbox_terminal_output/.test(text)) reads++;
    return Reflect.apply(original, this, args);
  });
  return { reads: () => reads, restore: () => mocked.mock.restore() };
}

async function startApp(concurrency: number) {
  const app = await testApp(sandboxConfig({ engine: 'bubblewrap', concurrency }));
  const address = await app.app.server.listen({ host: '127.0.0.1', port: 0 });
  async function makeSandbox() {
    const { key } = await app.workspace(['sandboxes_run']);
    const as = (method: string, path: string, body?: unknown) => app.call(method, path, body, { key });
    const { id } = (await as('POST', '/v1/sandboxes', {})).json;
    const terminals = `/v1/sandboxes/${id}/terminals`;
    const open = () => as('POST', terminals, {});
    const openMany = (count: number) => Promise.all(Array.from({ length: count }, open));
    const end = (terminal_id: string) => as('DELETE', `${terminals}/${terminal_id}`);
    return { id: id as string, key, as, terminals, open, openMany, end };
  }
  return { ...app, address, makeSandbox };
}

suite('limits of terminals', { skip: withoutBubblewrap }, async () => {
  const { query, address, makeSandbox } = await startApp(16);

  test('opens four terminals of a sandbox when more requests come at the same moment', async () => {
    const { openMany, end } = await makeSandbox();
    // Each waits between counting and adding, so that all others count meanwhile.
    await query(
      `create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(0.3); return new; end';
       create trigger wait before insert on sandbox_terminals for each row execute function wait()`,
    );
    const answers = await openMany(8);
    await query('drop trigger wait on sandbox_terminals');
    assert.deepEqual(countOutcomes(answers), { '200': 4, '409 terminal_limit_reached': 4 });
    for (const { status, json } of answers) if (status === 200) await end(json.id);
  });

  test('lets no more bytes wait than it may when several requests type at the same moment', async () => {
    const { as, terminals, open, end } = await makeSandbox();
    const { id } = (await open()).json;
    // A terminal that no node runs, so that all that is typed waits.
    const [{ id: unread }] = await query(
      `insert into sandbox_terminals (workspace_id, id, sandbox_id, created_by, rows, cols)
       select workspace_id, gen_random_uuid(), sandbox_id, created_by, rows, cols from sandbox_terminals where id = $1
       returning id`,
      [id],
    );
    // Each waits between counting and adding, so that all others count meanwhile.
    await query(
      `create function wait_typed() returns trigger language plpgsql as 'begin perform pg_sleep(0.2); return new; end';
       create trigger wait_typed before insert on sandbox_terminal_input for each row execute function wait_typed()`,
    );
    const type = () => as('POST', `${terminals}/${unread}/input`, { data: 'x'.repeat(typedBytes) });
    const answers = await Promise.all(Array.from({ length: 7 }, type));
    await query('drop trigger wait_typed on sandbox_terminal_input');
    assert.deepEqual(countOutcomes(answers), { '200': 4, '409 terminal_busy': 3 });
    await end(id);
  });

  test('refuses a ninth follower of a terminal until another leaves', async () => {
    const { key, terminals, open, end } = await makeSandbox();
    const { id } = (await open()).json;
    const url = `${address}${terminals}/${id}/output`;
    const followers = await Promise.all(Array.from({ length: 8 }, () => readTerminal(url, key)));
    const follow = async () => {
      const control = new AbortController();
      const answer = await fetch(url, { headers: { 'x-api-key': key }, signal: control.signal });
      const refusal = answer.status === 200 ? '' : ` ${((await answer.json()) as { code: string }).code}`;
      control.abort();
      return `${answer.status}${refusal}`;
    };
    assert.equal(await follow(), '409 terminal_followers_reached');
    await followers.pop()?.leave();
    await until('another one may follow', async () => (await follow()) === '200');
    await end(id);
    await Promise.all(followers.map(({ done }) => done));
  });

  test('reads output at most every 100 ms for a follower while a program writes', async () => {
    const { key, as, terminals, open, end } = await makeSandbox();
    const { id } = (await open()).json;
    const reading = await readTerminal(`${address}${terminals}/${id}/output`, key);
    const data = 'echo be""gin; for i in $(seq 60); do echo $i; sleep 0.03; done; echo the-$((1 + 1))-end\r';
    const counted = countOutputReads();
    await as('POST', `${terminals}/${id}/input`, { data });
    await reading.shows(/\nbegin/);
    const [before, began] = [counted.reads(), Date.now()];
    await reading.shows(/the-2-end/);
    const [reads, passed] = [counted.reads() - before, Date.now() - began];
    counted.restore();
    assert.ok(reads > 0, 'the reads are counted');
    assert.ok(reads <= passed / 100 + 2, `${reads} reads in ${passed} ms`);
    await end(id);
    await reading.done;
  });

  test('ends a terminal whose sandbox was stopped without a notification', async () => {
    const { id: sandbox_id, as, terminals, open } = await makeSandbox();
    const { id } = (await open()).json;
    await query("update sandboxes set status = 'stopped' where id = $1", [sandbox_id]);
    const state = async () => (await as('GET', `${terminals}/${id}`)).json;
    const ended = await until('it is ended', async () => {
      const terminal = await state();
      return terminal.status === 'ended' && terminal;
    });
    assert.equal(ended.reason, 'stopped');
  });
});

test('leaves half of the terminals of a node to other workspaces', { skip: withoutBubblewrap }, async () => {
  const { makeSandbox } = await startApp(4);
  const [first, second, third] = [await makeSandbox(), await makeSandbox(), await makeSandbox()];
  const opened = await first.openMany(6);
  assert.deepEqual(countOutcomes(opened), { '200': 2, '409 terminal_limit_reached': 4 });
  assert.deepEqual(countOutcomes(await second.openMany(2)), { '200': 2 });
  assert.equal(outcome(await third.open()), '503 terminals_busy');
  const { id } = opened.find(({ status }) => status === 200)?.json ?? {};
  await first.end(id);
  assert.equal(outcome(await third.open()), '200', 'the place of one that has ended is free');
  // A refusal takes no place.
  for (let count = 0; count < 3; count++) assert.equal(outcome(await second.open()), '409 terminal_limit_reached');
});

test('leaves no terminal open that was starting at a shutdown', { skip: withoutBubblewrap }, async () => {
  const { app, query, makeSandbox } = await startApp(4);
  const { open } = await makeSandbox();
  await query(
    `create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(1); return new; end';
     create trigger wait before insert on sandbox_terminals for each row execute function wait()`,
  );
  const opening = open();
  const starts = () =>
    query("select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()");
  await until('it is being added', async () => (await starts()).length > 0);
  await app.close();
  await opening;
  const left = await query('select status, reason from sandbox_terminals');
  assert.deepEqual(left, [{ status: 'ended', reason: 'lost' }]);
});
