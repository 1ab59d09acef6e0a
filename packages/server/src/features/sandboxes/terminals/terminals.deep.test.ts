import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';
import { testConfig } from '../../../../test/support/test-config.ts';
import { testServer } from '../../../../test/support/test-database.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import { makeApp } from '../../../app.ts';
import { withoutBubblewrap } from '../../../drivers/sandboxes/testing.ts';
import { makeLog } from '../../../lib/log.ts';
import { sandboxConfig } from '../testing.ts';
import { readTerminal } from './testing.ts';

suite('terminals of sandboxes', { skip: withoutBubblewrap }, async () => {
  const app = await testApp(sandboxConfig({ engine: 'bubblewrap', concurrency: 16 }));
  const { call, workspace, query } = app;
  const address = await app.app.server.listen({ host: '127.0.0.1', port: 0 });
  const place = await workspace(['sandboxes_run']);
  const { key } = place;
  const as = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    call(method, path, body, { key, ...(headers && { headers }) });
  const sandboxOf = async () => (await as('POST', '/v1/sandboxes', {})).json.id as string;

  async function open(sandbox_id: string, body: object = {}) {
    const opened = await as('POST', `/v1/sandboxes/${sandbox_id}/terminals`, body);
    assert.equal(opened.status, 200, opened.text);
    const path = `/v1/sandboxes/${sandbox_id}/terminals/${opened.json.id}`;
    const type = async (data: string) => {
      const typed = await as('POST', `${path}/input`, { data });
      assert.equal(typed.status, 200, typed.text);
    };
    const follow = (last?: string) => readTerminal(`${address}${path}/output`, key, last);
    return { id: opened.json.id as string, path, type, follow };
  }

  test('runs a shell that keeps its variables, reads input and has a terminal', async () => {
    const { path, type, follow } = await open(await sandboxOf(), { rows: 30, cols: 100 });
    const reading = await follow();
    await type('tty; stty size; X=kept\r');
    await reading.shows(/30 100/);
    assert.match(reading.text(), /\/dev\/pts\/0/);
    await type('read -p "name? " name; echo "hello $name $X"\r');
    await reading.shows(/name\? $/);
    await type('Ada\r');
    await reading.shows(/hello Ada kept/);
    await type('exit 7\r');
    await reading.done;
    assert.deepEqual(reading.frames.at(-1)?.data, { exit_code: 7, reason: 'exit' });
    const { json } = await as('GET', path);
    assert.deepEqual([json.status, json.exit_code, json.reason], ['ended', 7, 'exit']);
    assert.equal((await as('POST', `${path}/input`, { data: 'x' })).json.code, 'terminal_ended');
  });

  test('tells the program of a new size, and sends Ctrl C to it', async () => {
    const { path, type, follow } = await open(await sandboxOf(), { cols: 120 });
    const reading = await follow();
    await type(`bash -c "trap 'stty size' WINCH; echo ready; while :; do sleep 0.1; done"\r`);
    await reading.shows(/\nready/);
    const resized = await as('POST', `${path}/resize`, { rows: 41, cols: 137 });
    assert.deepEqual([resized.json.rows, resized.json.cols], [41, 137]);
    await reading.shows(/41 137/);
    await type('\u0003');
    await type('echo after-$((20 + 1))\r');
    await reading.shows(/after-21/);
    assert.equal((await as('POST', `${path}/resize`, { rows: 0, cols: 137 })).status, 422);
    assert.equal((await as('DELETE', path)).status, 200);
    await reading.done;
    assert.deepEqual(reading.frames.at(-1)?.data, { exit_code: null, reason: 'stopped' });
  });

  test('sends only newer output to a reader that comes back, and all of it to another', async () => {
    const { type, follow, path } = await open(await sandboxOf());
    const first = await follow();
    await type('echo one-$((1 + 0))\r');
    await first.shows(/one-1/);
    const last = first.frames.at(-1)?.id;
    await first.leave();
    await type('echo two-$((1 + 1))\r');
    const second = await follow(last);
    await second.shows(/two-2/);
    assert.ok(!second.text().includes('one-1'), second.text());
    const other = await follow();
    await other.shows(/two-2/);
    assert.ok(other.text().includes('one-1'));
    await as('DELETE', path);
    await Promise.all([second.done, other.done]);
  });

  test('begins anew with a reset when the output that a reader asks for is gone', async () => {
    const { type, follow, path } = await open(await sandboxOf());
    await type('echo begin; seq 1 100000; echo the-$((1 + 1))-end\r');
    const all = await follow();
    await all.shows(/the-2-end/);
    const late = await follow();
    await late.shows(/the-2-end/);
    assert.equal(late.frames[0]?.event, 'reset');
    assert.ok(!late.text().includes('begin\n'), 'the beginning is gone');
    const [{ kept }] = await query('select sum(length(text))::int as kept from sandbox_terminal_output');
    assert.ok(kept < 500_000, `${kept} characters are kept`);
    await as('DELETE', path);
    await Promise.all([all.done, late.done]);
  });

  test('types what is sent with one Idempotency-Key once', async () => {
    const { type, follow, path } = await open(await sandboxOf());
    const reading = await follow();
    for (let count = 0; count < 2; count++)
      await as('POST', `${path}/input`, { data: 'echo x >> log\r' }, { 'idempotency-key': `typed-${path}` });
    await type('wc -l < log | sed s/^/lines:/\r');
    await reading.shows(/\nlines:\d/);
    assert.match(reading.text(), /\nlines:1/);
    await as('DELETE', path);
    await reading.done;
  });

  test('takes all that several requests type at the same moment', async () => {
    const { type, follow, path } = await open(await sandboxOf());
    const reading = await follow();
    await Promise.all(Array.from({ length: 20 }, () => type('echo x >> all\r')));
    await type('wc -l < all | sed s/^/lines:/\r');
    await reading.shows(/\nlines:20\n/);
    await as('DELETE', path);
    await reading.done;
  });

  test('is found by the caller that opened it alone', async () => {
    const sandbox_id = await sandboxOf();
    const { path, id } = await open(sandbox_id);
    const made = await call('POST', `/v1/admin/groups/${place.id}/api-keys`, {
      name: 'b',
      permissions: ['sandboxes_run'],
    });
    const colleague = made.json.value;
    const others: [string, number][] = [
      [colleague, 404],
      [(await workspace(['sandboxes_run'])).key, 404],
      [(await workspace(['kbs_query'])).key, 403],
    ];
    for (const [other, status] of others)
      for (const [method, end, body] of [
        ['GET', '', undefined],
        ['GET', '/output', undefined],
        ['POST', '/input', { data: 'x' }],
        ['POST', '/resize', { rows: 9, cols: 9 }],
        ['DELETE', '', undefined],
      ] as const)
        assert.equal((await call(method, `${path}${end}`, body, { key: other })).status, status, `${method} ${end}`);
    const listed = await call('GET', `/v1/sandboxes/${sandbox_id}/terminals`, undefined, { key: colleague });
    assert.deepEqual([listed.status, listed.json.total], [200, 0], listed.text);
    assert.deepEqual(
      (await as('GET', `/v1/sandboxes/${sandbox_id}/terminals`)).json.items.map((item: { id: string }) => item.id),
      [id],
    );
    const elsewhere = await sandboxOf();
    assert.equal((await as('GET', path.replace(sandbox_id, elsewhere))).status, 404, 'in another sandbox');
    assert.equal((await as('DELETE', path)).status, 200);
  });

  test('refuses a fifth terminal of a sandbox, a directory outside, and another engine', async () => {
    const sandbox_id = await sandboxOf();
    const paths: string[] = [];
    for (let count = 0; count < 4; count++) paths.push((await open(sandbox_id)).path);
    const one = await as('POST', `/v1/sandboxes/${sandbox_id}/terminals`, {});
    assert.deepEqual([one.status, one.json.code], [409, 'terminal_limit_reached']);
    await as('DELETE', paths[0] as string);
    await as('DELETE', (await open(sandbox_id)).path);
    assert.equal((await as('POST', `/v1/sandboxes/${sandbox_id}/terminals`, { cwd: '../..' })).status, 422);
    assert.equal((await as('GET', `/v1/sandboxes/${sandbox_id}`)).json.terminal, true);
    await query("update sandboxes set engine = 'just-bash' where id = $1", [sandbox_id]);
    const emulated = await as('POST', `/v1/sandboxes/${sandbox_id}/terminals`, {});
    assert.deepEqual([emulated.status, emulated.json.code], [409, 'terminal_unavailable']);
    await query("update sandboxes set engine = 'bubblewrap' where id = $1", [sandbox_id]);
    for (const path of paths) await as('DELETE', path);
  });

  test('ends with its sandbox, and lets commands run beside it', async () => {
    const sandbox_id = await sandboxOf();
    const { follow, type } = await open(sandbox_id);
    const reading = await follow();
    await type('echo from-terminal > shared\r');
    const exec = (command: string) => as('POST', `/v1/sandboxes/${sandbox_id}/exec`, { command });
    await until('the command sees it', async () => (await exec('cat shared')).json.stdout === 'from-terminal\n');
    assert.equal((await as('POST', `/v1/sandboxes/${sandbox_id}/stop`)).status, 200);
    await reading.done;
    assert.deepEqual(reading.frames.at(-1)?.data, { exit_code: null, reason: 'stopped' });
  });

  test('holds what runs in it to the limits of a command', async () => {
    const { follow, type } = await open(await sandboxOf());
    const reading = await follow();
    await type('for i in $(seq 200); do sleep 30 & done\r');
    await reading.done;
    assert.deepEqual(reading.frames.at(-1)?.data, { exit_code: null, reason: 'processes' });
  });

  test('is typed into, followed, resized and ended through another node', async (t) => {
    const { path, follow } = await open(await sandboxOf(), { cols: 120 });
    const [{ name: database }] = await query('select current_database() as name');
    const config = testConfig('/nowhere', sandboxConfig({ engine: 'bubblewrap' }));
    const other = await makeApp(config, { ...testServer(), database }, makeLog('silent'));
    t.after(() => other.close());
    const there = await other.server.listen({ host: '127.0.0.1', port: 0 });
    const send = async (method: string, end: string, body?: object) => {
      const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
      const answer = await fetch(`${there}${path}${end}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      assert.equal(answer.status, 200, await answer.text());
    };
    const [here, far] = [await follow(), await readTerminal(`${there}${path}/output`, key)];
    await send('POST', '/resize', { rows: 33, cols: 133 });
    await send('POST', '/input', { data: 'stty size\r' });
    for (const reading of [here, far]) await reading.shows(/33 133/);
    await send('DELETE', '');
    for (const reading of [here, far]) {
      await reading.done;
      assert.deepEqual(reading.frames.at(-1)?.data, { exit_code: null, reason: 'stopped' });
    }
  });

  test('ends without input, and when its caller may not use sandboxes any more', async () => {
    const idle = await open(await sandboxOf());
    const reading = await idle.follow();
    await query("update sandbox_terminals set last_input_at = now() - interval '16 minutes' where id = $1", [idle.id]);
    await reading.done;
    assert.deepEqual(reading.frames.at(-1)?.data, { exit_code: null, reason: 'idle' });

    const other = await workspace(['sandboxes_run']);
    const made = (await call('POST', '/v1/sandboxes', {}, { key: other.key })).json;
    const terminals = `/v1/sandboxes/${made.id}/terminals`;
    const { json } = await call('POST', terminals, {}, { key: other.key });
    await query("update api_keys set permissions = '{kbs_query}' where workspace_id = $1", [other.id]);
    await query("select pg_notify('atrium_bell', $1)", [JSON.stringify(['keys', ''])]);
    const state = () => query('select status, reason from sandbox_terminals where id = $1', [json.id]);
    const ended = await until('it is ended', async () => (await state()).find(({ status }) => status === 'ended'));
    assert.equal(ended.reason, 'stopped');
  });
});
