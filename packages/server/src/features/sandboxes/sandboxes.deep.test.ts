import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { strToU8, zipSync } from 'fflate';
import pg from 'pg';
import { testApp } from '../../../test/support/test-app.ts';
import { testConfig } from '../../../test/support/test-config.ts';
import { testServer } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { makeSandboxEngines } from '../../app/tools/sandboxes.ts';
import { hasBubblewrap } from '../../drivers/sandboxes/testing.ts';
import { enginesHere, eventsIn, sandboxConfig } from './testing.ts';

for (const engine of enginesHere)
  suite(`sandboxes by ${engine}`, async () => {
    const { call, workspace, query } = await testApp(sandboxConfig({ engine, max_per_workspace: 5 }));
    const { key } = await workspace(['sandboxes_run']);
    const as = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
      call(method, path, body, { key, ...(headers && { headers }) });
    const make = async (body: object = {}) => (await as('POST', '/v1/sandboxes', body)).json;
    const exec = async (id: string, command: string, more: object = {}) =>
      (await as('POST', `/v1/sandboxes/${id}/exec`, { command, ...more })).json;

    test('returns engine and isolation of a sandbox', async () => {
      const made = await make({ label: 'L', persistent: true });
      for (const field of ['id', 'status', 'created_at', 'last_activity', 'label'])
        assert.equal(typeof made[field], 'string', field);
      assert.equal(made.status, 'running');
      assert.deepEqual([made.engine, made.label, made.persistent], [engine, 'L', true]);
      assert.equal(made.isolation, engine === 'bubblewrap' ? 'kernel' : 'emulated');
      assert.equal(made.advice === '', engine === 'bubblewrap');
      const { disk_bytes, disk_limit_bytes, ...same } = (await as('GET', `/v1/sandboxes/${made.id}`)).json;
      assert.deepEqual(same, made);
      assert.ok(disk_bytes < disk_limit_bytes);
      assert.equal((await as('DELETE', `/v1/sandboxes/${made.id}`)).status, 200);
    });

    test('passes input, variables and directory to a command, and returns output and exit code', async () => {
      const { id } = await make();
      const said = await exec(id, 'mkdir -p a; cat; echo "$GREETING" >&2; exit 3', {
        stdin: 'in',
        env: { GREETING: 'hi' },
      });
      assert.deepEqual([said.exit_code, said.reason, said.stdout, said.stderr], [3, 'exit', 'in', 'hi\n']);
      assert.equal(said.truncated, false);
      assert.equal((await exec(id, 'pwd', { cwd: 'a' })).stdout, '/work/a\n');
      assert.equal((await exec(id, 'print(6 * 7)', { language: 'python' })).stdout, '42\n');
      assert.equal((await exec(id, 'console.log(6 * 7)', { language: 'javascript' })).stdout, '42\n');
    });

    test('keeps files of a command for the next one and for the file operations', async () => {
      const { id } = await make();
      await exec(id, 'mkdir -p data && echo 1,2 > data/a.csv');
      assert.equal((await exec(id, 'cat data/a.csv')).stdout, '1,2\n');
      const listed = await as('GET', `/v1/sandboxes/${id}/files?path=data`);
      assert.deepEqual([listed.json.total, listed.json.items[0].path, listed.json.items[0].size], [1, 'data/a.csv', 4]);
      const read = await as('GET', `/v1/sandboxes/${id}/files/content?path=data/a.csv`);
      assert.equal(read.text, '1,2\n');
      assert.match(String(read.headers['content-disposition']), /attachment/);
      const bytes = Buffer.from([0, 255, 10, 200]);
      const file = { path: 'new/b.bin', content: bytes.toString('base64'), encoding: 'base64' };
      assert.equal((await as('POST', `/v1/sandboxes/${id}/files`, file)).json.size, 4);
      assert.equal((await exec(id, 'wc -c < new/b.bin')).stdout.trim(), '4');
      assert.equal((await exec(id, 'echo more >> new/b.bin && echo ok')).stdout, 'ok\n');
      assert.equal((await as('DELETE', `/v1/sandboxes/${id}/files?path=new`)).status, 200);
      assert.equal((await exec(id, 'ls')).stdout, 'data\n');
    });

    test('says how much of the disk a sandbox takes', async () => {
      const { id } = await make();
      const used = async () => (await as('GET', `/v1/sandboxes/${id}`)).json.disk_bytes;
      const before = await used();
      await as('POST', `/v1/sandboxes/${id}/files`, { path: 'large.txt', content: 'x'.repeat(200_000) });
      const between = await used();
      assert.ok(between - before >= 200_000, `${before}, then ${between}`);
      assert.equal((await as('DELETE', `/v1/sandboxes/${id}/files?path=large.txt`)).status, 200);
      const after = await used();
      assert.ok(after - before < 200_000, `${before}, then ${after}`);
      assert.equal((await exec(id, 'head -c 200000 /dev/zero > zeros || printf %200000d 0 > zeros')).exit_code, 0);
      const atEnd = await used();
      assert.ok(atEnd - after >= 200_000, `${after}, then ${atEnd} when a command had written`);
    });

    test('refuses paths that lead outside or do not exist', async () => {
      const { id } = await make();
      const read = async (path: string) =>
        (await as('GET', `/v1/sandboxes/${id}/files/content?path=${encodeURIComponent(path)}`)).status;
      assert.deepEqual(
        [await read('../x'), await read('a/../../x'), await read('.'), await read('missing')],
        [422, 422, 422, 404],
      );
      assert.equal((await as('POST', `/v1/sandboxes/${id}/files`, { path: '../x', content: '' })).status, 422);
      assert.equal(
        (await as('POST', `/v1/sandboxes/${id}/files`, { path: 'x', content: '%', encoding: 'base64' })).status,
        422,
      );
      assert.equal((await as('DELETE', `/v1/sandboxes/${id}/files?path=.`)).status, 422);
      assert.equal((await as('POST', `/v1/sandboxes/${id}/exec`, { command: 'ls', cwd: '../..' })).status, 422);
      assert.equal((await as('POST', `/v1/sandboxes/${id}/exec`, { command: 'ls', env: { 'A=B': 'x' } })).status, 422);
      assert.equal((await as('POST', `/v1/sandboxes/${id}/exec`, { command: 'ls', env: { A: 1 } })).status, 422);
      await as('DELETE', `/v1/sandboxes/${id}`);
    });

    test('streams the output, then how the command ended', async () => {
      const { id } = await make();
      const { text, headers } = await as('POST', `/v1/sandboxes/${id}/exec`, {
        command: 'echo é; echo no >&2; exit 2',
        stream: true,
      });
      assert.match(String(headers['content-type']), /^text\/event-stream/);
      const events = eventsIn(text);
      const of = (stream: string) =>
        events.flatMap(({ event, data }) => (event === 'output' && data.stream === stream ? data.text : [])).join('');
      assert.deepEqual([of('stdout'), of('stderr')], ['é\n', 'no\n']);
      const { event, data } = events.at(-1) as (typeof events)[number];
      assert.deepEqual([event, data.exit_code, data.reason, data.engine], ['end', 2, 'exit', engine]);
      const repeated = await as(
        'POST',
        `/v1/sandboxes/${id}/exec`,
        { command: 'ls', stream: true },
        { 'idempotency-key': 'k1' },
      );
      assert.equal(repeated.status, 422);
      await as('DELETE', `/v1/sandboxes/${id}`);
    });

    test('ends a command that takes too long with the reason timeout', async () => {
      const { id } = await make();
      const said = await exec(id, 'while true; do sleep 0.1; done', { timeout: 1 });
      assert.deepEqual([said.exit_code, said.reason], [null, 'timeout']);
      assert.ok(said.duration_ms < 60_000);
      await as('DELETE', `/v1/sandboxes/${id}`);
    });

    test('keeps the files of a stopped sandbox and starts it when it is used', async () => {
      const { id } = await make({ persistent: true });
      await exec(id, 'echo kept > f');
      assert.equal((await as('POST', `/v1/sandboxes/${id}/stop`)).json.status, 'stopped');
      assert.equal((await as('GET', `/v1/sandboxes/${id}/files/content?path=f`)).text, 'kept\n');
      assert.equal((await exec(id, 'cat f')).stdout, 'kept\n');
      assert.equal((await as('GET', `/v1/sandboxes/${id}`)).json.status, 'running');
      await as('DELETE', `/v1/sandboxes/${id}`);
    });

    test('ends running commands when a sandbox is stopped or deleted', async () => {
      for (const end of [
        ['POST', '/stop'],
        ['DELETE', ''],
      ] as const) {
        const { id } = await make();
        const running = exec(id, 'echo x > begun; while true; do sleep 0.1; done', { timeout: 120 });
        const begun = async () => (await as('GET', `/v1/sandboxes/${id}/files/content?path=begun`)).status === 200;
        for (let looks = 0; looks < 1200 && !(await begun()); looks++) await sleep(50);
        assert.equal((await as(end[0], `/v1/sandboxes/${id}${end[1]}`)).status, 200);
        assert.equal((await running).reason, 'stopped');
        await as('DELETE', `/v1/sandboxes/${id}`);
      }
    });

    test('removes a deleted sandbox with its files', async () => {
      const { id } = await make();
      await exec(id, 'mkdir -p deep/er; echo x > deep/er/f; chmod 000 deep/er 2>/dev/null; true');
      assert.equal((await as('DELETE', `/v1/sandboxes/${id}`)).status, 200);
      assert.equal((await as('GET', `/v1/sandboxes/${id}`)).status, 404);
      assert.equal((await as('DELETE', `/v1/sandboxes/${id}`)).status, 404);
    });

    // The rest is the same whatever the engine.
    if (engine !== 'just-bash') return;

    test('runs the command of a request with an Idempotency-Key once', async () => {
      const { id } = await make();
      const once = () =>
        as(
          'POST',
          `/v1/sandboxes/${id}/exec`,
          { command: 'echo x >> log; wc -l < log' },
          { 'idempotency-key': `once-${id}` },
        );
      assert.equal((await once()).text, (await once()).text);
      assert.equal((await exec(id, 'wc -l < log')).stdout.trim(), '1');
      await as('DELETE', `/v1/sandboxes/${id}`);
    });

    test('stores the file of a form, by its name, in a directory or at a path', async () => {
      const { id } = await make();
      const bytes = Buffer.from([0, 255, 10, 13, 10, 97]);
      const send = (parts: [disposition: string, content: Buffer | string][], as_key = key) => {
        const body = parts.flatMap(([disposition, content]) => [
          Buffer.from(`--B\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n`),
          Buffer.from(content),
          Buffer.from('\r\n'),
        ]);
        const headers = { 'content-type': 'multipart/form-data; boundary=B' };
        return call('POST', `/v1/sandboxes/${id}/files`, Buffer.concat([...body, Buffer.from('--B--\r\n')]), {
          key: as_key,
          headers,
        });
      };
      const file = (name: string): [string, Buffer] => [`name="file"; filename="${name}"`, bytes];
      const stored = async (parts: [string, Buffer | string][]) => {
        const answer = await send(parts);
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.json.size, bytes.length);
        return answer.json.path;
      };
      assert.equal(await stored([file('a b.bin')]), 'a b.bin');
      assert.equal(await stored([file('../../etc/x.bin')]), 'x.bin');
      // The path may come before or after the file.
      assert.equal(await stored([['name="path"', 'deep/er/'], file('c.bin')]), 'deep/er/c.bin');
      assert.equal(await stored([file('c.bin'), ['name="path"', 'deep/d.bin']]), 'deep/d.bin');
      assert.equal((await exec(id, 'base64 deep/d.bin')).stdout.trim(), bytes.toString('base64'));
      const refused = async (...parts: [string, Buffer | string][]) => (await send(parts)).status;
      assert.equal(await refused(file('x'), ['name="path"', '../up']), 422);
      assert.equal(await refused(file('')), 422);
      assert.equal(await refused(file('a'), file('b')), 422);
      assert.equal(await refused(['name="path"', 'x']), 422, 'no file');
      assert.equal((await send([file('x')], (await workspace(['sandboxes_run'])).key)).status, 404);
      assert.equal((await send([file('x')], (await workspace(['kbs_query'])).key)).status, 403);
    });

    test('counts commands, files and starts as activity, but not looking', async () => {
      const { id } = await make();
      const age = "update sandboxes set last_activity = now() - interval '1 hour' where id = $1";
      const recent = async () =>
        Date.now() - Date.parse((await as('GET', `/v1/sandboxes/${id}`)).json.last_activity) < 60_000;
      for (const [what, use] of Object.entries({
        exec: () => exec(id, 'true'),
        write: () => as('POST', `/v1/sandboxes/${id}/files`, { path: 'x', content: 'x' }),
        read: () => as('GET', `/v1/sandboxes/${id}/files/content?path=x`),
        list: () => as('GET', `/v1/sandboxes/${id}/files`),
        start: () => as('POST', `/v1/sandboxes/${id}/start`),
        stop: () => as('POST', `/v1/sandboxes/${id}/stop`),
      })) {
        await query(age, [id]);
        assert.equal(await recent(), false);
        await use();
        assert.equal(await recent(), true, what);
      }
      await as('DELETE', `/v1/sandboxes/${id}`);
    });

    test('ignores its own late stop notification for commands that started since', async (t) => {
      const [{ database }] = await query('select current_database() as database');
      const ear = new pg.Client({ ...testServer(), database });
      t.after(() => ear.end());
      await ear.connect();
      const notifications: string[] = [];
      ear.on('notification', ({ payload = '' }) => notifications.push(payload));
      await ear.query('listen atrium_bell');
      const again = (payload: string) => query(`select pg_notify('atrium_bell', $1)`, [payload]);

      const { id } = await make({ persistent: true });
      await as('POST', `/v1/sandboxes/${id}/stop`);
      const own = await until('it is rung', () => notifications.find((payload) => payload.includes(id)));
      const there = async (path: string) =>
        (await as('GET', `/v1/sandboxes/${id}/files/content?path=${path}`)).status === 200;
      const running = exec(id, 'echo x > begun; while [ ! -e go ]; do sleep 0.1; done; echo on', { timeout: 120 });
      await until('it runs', () => there('begun'));
      const heard = notifications.length;
      await again(own);
      await until('it is heard again', () => notifications.length > heard);
      await as('POST', `/v1/sandboxes/${id}/files`, { path: 'go', content: '' });
      const { stdout, reason } = await running;
      assert.deepEqual([stdout, reason], ['on\n', 'exit']);

      // The notification of another node does end the command.
      const ended = exec(id, 'echo x > more; while true; do sleep 0.1; done', { timeout: 120 });
      await until('it runs', () => there('more'));
      await again(JSON.stringify(['sandboxes', `${id} another-node`]));
      assert.equal((await ended).reason, 'stopped');
      await as('DELETE', `/v1/sandboxes/${id}`);
    });

    test('refuses the network unless the operator allows it', async () => {
      const { status, json } = await as('POST', '/v1/sandboxes', { network: true });
      assert.deepEqual([status, json.code], [403, 'network_not_allowed']);
    });
  });

test('/ready answers before the self-test is done, and its result afterwards', async () => {
  const { call } = await testApp(sandboxConfig({ engine: 'just-bash' }));
  assert.equal((await call('GET', '/ready', undefined, { key: null })).json.sandboxes, 'checking');
  await call('POST', '/v1/sandboxes', {});
  assert.equal((await call('GET', '/ready', undefined, { key: null })).json.sandboxes, 'just-bash (emulated)');
});

test('does not replace a chosen engine that fails by a weaker one', async () => {
  const { call } = await testApp(
    sandboxConfig({ engine: 'docker', docker: { socket: '/nonexistent/docker.sock', image: 'x' } }),
  );
  const { status, json } = await call('POST', '/v1/sandboxes', {});
  assert.deepEqual([status, json.code], [503, 'sandbox_unavailable']);
  assert.match((await call('GET', '/ready', undefined, { key: null })).json.sandboxes, /^unavailable: docker/);
  assert.equal((await call('GET', '/v1/sandboxes')).json.total, 0);
});

test('marks a sandbox as broken when its files were removed from outside', async () => {
  const testing = await testApp(sandboxConfig({ engine: 'just-bash' }));
  const { json } = await testing.call('POST', '/v1/sandboxes', {});
  await testing.query("update sandboxes set ref = '018f0000-0000-7000-8000-000000000000'");
  const said = await testing.call('POST', `/v1/sandboxes/${json.id}/exec`, { command: 'true' });
  assert.deepEqual([said.status, said.json.code], [409, 'sandbox_error']);
  assert.equal((await testing.call('GET', `/v1/sandboxes/${json.id}`)).json.status, 'error');
  assert.equal((await testing.call('DELETE', `/v1/sandboxes/${json.id}`)).status, 200);
});

/** The sandbox has the programs of this machine, of which pip need not be one. */
const hasPip = hasBubblewrap && spawnSync('/usr/bin/python3', ['-m', 'pip', '--version']).status === 0;

test('pip installs from the folder of ATRIUM_SANDBOX_WHEELS without a network', { skip: !hasPip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-wheels-'));
  after(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  const info = 'shout-1.0.dist-info';
  const content = {
    'shout/__init__.py': 'def shout(text):\n    return text.upper() + "!"\n',
    [`${info}/METADATA`]: 'Metadata-Version: 2.1\nName: shout\nVersion: 1.0\n',
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${info}/RECORD`]: `shout/__init__.py,,\n${info}/METADATA,,\n${info}/WHEEL,,\n${info}/RECORD,,\n`,
  };
  const wheel = zipSync(Object.fromEntries(Object.entries(content).map(([name, text]) => [name, strToU8(text)])));
  writeFileSync(join(folder, 'shout-1.0-py3-none-any.whl'), wheel, { mode: 0o644 });

  const { call, workspace } = await testApp(sandboxConfig({ engine: 'bubblewrap', wheels: folder }));
  const { key } = await workspace(['sandboxes_run']);
  const { id } = (await call('POST', '/v1/sandboxes', {}, { key })).json;
  const exec = async (command: string, language = 'bash') =>
    (await call('POST', `/v1/sandboxes/${id}/exec`, { command, language }, { key })).json;
  const use = 'import shout; print(shout.shout("herons"))';
  assert.match((await exec(use, 'python')).stderr, /No module named 'shout'/);
  const installed = await exec('python3 -m pip install shout');
  assert.equal(installed.exit_code, 0, installed.stderr);
  assert.equal((await exec(use, 'python')).stdout, 'HERONS!\n', 'it stays for the next command');
  assert.notEqual((await exec('python3 -m pip install not-in-the-folder')).exit_code, 0);
  assert.notEqual((await exec('echo x > /opt/wheels/x')).exit_code, 0, 'the folder can only be read');
  // Another sandbox has only what it installs itself.
  const other = (await call('POST', '/v1/sandboxes', {}, { key })).json.id;
  const answer = await call('POST', `/v1/sandboxes/${other}/exec`, { command: use, language: 'python' }, { key });
  assert.match(answer.json.stderr, /No module named 'shout'/);
});

test('refuses a folder of wheels that is missing or holds files that sandboxes must not read', async () => {
  const data = mkdtempSync(join(tmpdir(), 'atrium-wheels-data-'));
  after(() => rmSync(data, { recursive: true }));
  const makeWith = (wheels: string) => () =>
    makeSandboxEngines({ ...testConfig(join(data, 'atrium')), ...sandboxConfig({ wheels }) });
  assert.throws(makeWith('/no/such/folder'), /ATRIUM_SANDBOX_WHEELS: .*there is no such folder/);
  assert.throws(makeWith(data), /ATRIUM_SANDBOX_WHEELS: .*sandboxes would read/);
});
