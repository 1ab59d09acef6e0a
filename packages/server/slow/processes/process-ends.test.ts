// Alone on the machine: its processes have seconds to start and to end.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf } from '../../test/support/child-processes.ts';
import { startDatabaseProxy } from '../../test/support/database-proxy.ts';
import { startProcess } from '../../test/support/server-process.ts';
import { makeDatabase } from '../../test/support/test-database.ts';
import { adminKey, ask, until } from './process-server.ts';

const dir = mkdtempSync(join(tmpdir(), 'atrium-process-ends-'));
const { connection, drop } = await makeDatabase();
const proxy = await startDatabaseProxy(connection);
const { user, password, database } = connection;
const start = (name: string) =>
  startProcess({
    dir: join(dir, name),
    env: {
      DATABASE_URL: `postgres://${user}:${password}@127.0.0.1:${proxy.port}/${database}`,
      ...{ ATRIUM_PROCESSES: '2', ATRIUM_DRAIN_SECONDS: '5', ATRIUM_ADMIN_KEY: adminKey },
      ATRIUM_SECRET_KEY: 'test-secret-key-0123456789abcdef0123456789',
    },
  });
const server = start('first');
after(async () => {
  if (server.child.exitCode === null && server.child.signalCode === null) await server.kill();
  await proxy.close();
  await drop();
  rmSync(dir, { recursive: true, force: true });
});
const address = await server.ready;
const children = () => [...childrenOf(server.pid).values()];

test('a process that dies while the database is away is started until that is over', async () => {
  const [victim] = children();
  assert.ok(victim);
  // Nothing listens there.
  proxy.redirect({ host: '127.0.0.1', port: 1 });
  process.kill(victim, 'SIGKILL');
  const timesEnded = () => server.output().split('process.ended').length - 1;
  // The first end is that by the signal.
  await until('a start has failed', () => timesEnded() >= 2);
  await sleep(15_000);
  assert.equal(server.child.exitCode, null, server.output());
  assert.ok(timesEnded() <= 4, server.output());
  proxy.redirect(connection);
  await until(
    'there are two that serve',
    async () => children().length === 2 && (await ask(address, '/ready')).status === 200,
  );
});

test('one that dies while all drain is not replaced', async () => {
  const before = children();
  assert.equal(before.length, 2);
  const seen = new Set<number>();
  const stopped = server.stop();
  await until('it drains', async () => (await ask(address, '/ready')).text.includes('draining'));
  process.kill(before[0] as number, 'SIGKILL');
  let code: number | string | undefined;
  while (code === undefined) {
    for (const pid of children()) seen.add(pid);
    code = await Promise.race([stopped, sleep(50, undefined)]);
  }
  assert.equal(code, 0);
  assert.deepEqual(
    [...seen].filter((pid) => !before.includes(pid)),
    [],
  );
});

test('waits for a database that goes away while the processes start for the first time', async (t) => {
  const late = start('late');
  t.after(async () => {
    if (late.child.exitCode === null && late.child.signalCode === null) await late.kill();
  });
  // The first process has used the database by then; the others load their program before they do.
  await until('the processes are there', () => childrenOf(late.pid).size === 2);
  proxy.redirect({ host: '127.0.0.1', port: 1 });
  await until('a start has failed', () => late.child.exitCode !== null || late.output().includes('process.ended'));
  await sleep(3000);
  assert.equal(late.child.exitCode, null, late.output());
  proxy.redirect(connection);
  assert.equal((await ask(await late.ready, '/ready')).status, 200);
  assert.equal(await late.stop(), 0);
});
