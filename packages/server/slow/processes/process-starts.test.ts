// Alone on the machine: its processes have seconds to start and to end.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { childrenOf, isAlive } from '../../test/support/child-processes.ts';
import { ask, makeProcessDir, until } from './process-server.ts';

const rig = await makeProcessDir();

test('makes nothing and names PORT when the port is in use', async () => {
  const busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  const { port } = busy.address() as AddressInfo;
  await assert.rejects(
    rig.start({ PORT: String(port) }).ready,
    new RegExp(`port ${port} on .*set PORT to a free port`),
  );
  busy.close();
  assert.equal(existsSync(rig.dir), false);
});

test('refuses a number of processes that is none', async () => {
  for (const value of ['0', 'two', '1.5', '-1', '65'])
    await assert.rejects(rig.start({ ATRIUM_PROCESSES: value }).ready, /ATRIUM_PROCESSES: /);
});

test('prints the admin key and the claim token once, and both work in each process', async () => {
  const server = rig.start({ ATRIUM_ADMIN_KEY: '' });
  const address = await server.ready;
  await until('the key is there', () => /shown this once: (\S+)/.test(server.output()));
  await until('the token is there', () => /Claim token/.test(server.output()));
  const keys = [...server.output().matchAll(/shown this once: (\S+)/g)];
  assert.deepEqual([keys.length, server.output().split('Claim token').length], [1, 2]);
  for (let count = 0; count < 6; count++)
    assert.equal((await ask(address, '/v1/admin/me', { key: keys[0]?.[1] ?? '' })).status, 200);
  assert.equal(await server.stop(), 0);
  assert.doesNotMatch(server.output(), /"level":"(warn|error)"/);
});

test('ends with the reason of the process that could not start', async () => {
  const broken = join(rig.root, 'mcp.json');
  writeFileSync(broken, '{}');
  const server = rig.start({ ATRIUM_MCP_CONFIG: broken });
  await assert.rejects(server.ready, /Atrium could not start: .*ATRIUM_MCP_CONFIG/);
  await until('none is left', () => childrenOf(server.pid).size === 0);
});

test('a kill of the first process ends all, and the next start works', async () => {
  const server = rig.start();
  await server.ready;
  const pids = [...childrenOf(server.pid).values()];
  assert.equal(pids.length, 2);
  await server.kill();
  await until('the others have ended', () => !pids.some(isAlive));
  const next = rig.start();
  assert.equal((await ask(await next.ready, '/v1/admin/me')).status, 200);
  assert.equal(await next.stop(), 0);
});

test('ends with the reason when a process does not stay up', async () => {
  const server = rig.start();
  await server.ready;
  const ended = once(server.child, 'exit');
  let last = 0;
  // The first may have served for a while, and does not count then.
  for (let kill = 0; kill < 6 && server.child.exitCode === null; kill++) {
    const pid = await until('it is there', () => {
      const found = server.child.exitCode === null ? childrenOf(server.pid).get(2) : last + 1;
      return found !== last ? found : undefined;
    });
    if (server.child.exitCode === null) process.kill(pid, 'SIGKILL');
    last = pid;
  }
  const [code] = await ended;
  assert.equal(code, 1);
  assert.match(server.output(), /Atrium could not start: Process 2 does not stay up: it was ended by SIGKILL/);
});

test('starts one process alone when there is to be one', async () => {
  const server = rig.start({ ATRIUM_PROCESSES: '1' });
  await server.ready;
  assert.equal(childrenOf(server.pid).size, 0);
  assert.equal(await server.stop(), 0);
});
