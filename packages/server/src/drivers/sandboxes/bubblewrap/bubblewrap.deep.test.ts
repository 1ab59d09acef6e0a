import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import type { EndReason } from '@atrium/contract/sandboxes/engines.ts';
import { makeAllowList } from '../../web/allow-list.ts';
import { makeCheckedSockets } from '../../web/checked-socket.ts';
import { sandboxConformance } from '../conformance.ts';
import type { Command, SandboxDriver } from '../driver.ts';
import { limited } from '../limit-command.ts';
import { runToEnd } from '../run-to-end.ts';
import { smallLimits as limits, sandboxRoot, withoutBubblewrap as skip } from '../testing.ts';
import { makeBubblewrap } from './bubblewrap.ts';
import { makePipes } from './pipes.ts';

const root = sandboxRoot();
sandboxConformance('bubblewrap', { make: () => makeBubblewrap({ root, limits }), skip });
sandboxConformance('bubblewrap without a control group', {
  make: () => makeBubblewrap({ root, limits, groups: false }),
  skip,
});

const runIn = async (driver: SandboxDriver, ref: string, code: string, more: Partial<Command> = {}) => {
  const command: Command = { language: 'bash', code, cwd: '', env: {}, stdin: '', ...more };
  return runToEnd(limited(driver, ref, command, limits));
};

test('closing waits for pipes that are being made, so that their directory can be removed', async () => {
  const pipes = makePipes();
  const taken = assert.rejects(pipes.output(), /are being closed/);
  await pipes.close();
  await taken;
});

for (const groups of [true, false])
  suite(`limits of bubblewrap, ${groups ? 'with' : 'without'} a control group`, { skip }, () => {
    // Only the command that is to hit the limit has so little time; other commands need more on a slow machine.
    const [brief, usual] = [1, limits.cpu_seconds].map((cpu_seconds) =>
      makeBubblewrap({ root, limits: { ...limits, cpu_seconds }, groups }),
    ) as [SandboxDriver, SandboxDriver];
    after(() => Promise.all([brief.close(), usual.close()]));
    const cases: Record<Exclude<EndReason, 'exit' | 'stopped' | 'timeout' | 'concurrency' | 'output'>, string> = {
      cpu: 'while :; do :; done',
      // It keeps its memory: without a group, memory is looked at every 50 ms, or later on a busy machine.
      memory:
        'python3 -c "import time\nx = bytearray(400 * 1024 * 1024)\nfor i in range(0, len(x), 4096): x[i] = 1\ntime.sleep(30)"; true',
      processes: 'for i in $(seq 100); do sleep 5 & done; wait',
      file_size: 'head -c 5000000 /dev/zero > big',
      disk: 'for i in 1 2 3 4 5 6; do head -c 3000000 /dev/zero > f$i; done',
      inodes: 'for i in $(seq 400); do : > e$i; done',
    };
    for (const [reason, code] of Object.entries(cases))
      test(`${reason} has a reason of its own`, async () => {
        const driver = reason === 'cpu' ? brief : usual;
        const ref = await driver.create({ id: randomUUID(), persistent: false, network: false });
        const { ended, stderr } = await runIn(driver, ref, code);
        assert.deepEqual(ended, { exit_code: null, reason }, stderr);
        await driver.destroy(ref);
      });
  });

suite('bubblewrap', { skip }, () => {
  const driver = makeBubblewrap({ root, limits });
  after(() => driver.close());

  test('sends output while the command runs', async () => {
    const ref = await driver.create({ id: randomUUID(), persistent: false, network: false });
    const code = 'echo first; while [ ! -e heard ]; do sleep 0.05; done; echo last; sleep 1000';
    const command: Command = { language: 'bash', code, cwd: '', env: {}, stdin: '' };
    let said = '';
    for await (const output of limited(driver, ref, command, limits)) {
      if ('data' in output) said += Buffer.from(output.data);
      if (said === 'first\n') await driver.files.write(ref, 'heard', Buffer.from('x'));
      if (said.endsWith('last\n')) break;
    }
    assert.equal(said, 'first\nlast\n');
    // Leaving the loop has ended the command, so the sandbox is free again.
    assert.equal((await runIn(driver, ref, 'echo next')).stdout, 'next\n');
    await driver.destroy(ref);
  });

  test('ends all processes of a command that is stopped while it starts', { timeout: 120_000 }, async () => {
    const ref = await driver.create({ id: randomUUID(), persistent: false, network: false });
    const command: Command = { language: 'bash', code: 'sleep 1000', cwd: '', env: {}, stdin: '' };
    for (let wall_ms = 0; wall_ms < 60; wall_ms += 3) {
      const { ended } = await runToEnd(limited(driver, ref, command, { ...limits, wall_ms }));
      assert.deepEqual(ended, { exit_code: null, reason: 'timeout' });
    }
    await driver.destroy(ref);
  });

  test('variables of the caller have no effect before the limits are set', async () => {
    const ref = await driver.create({ id: randomUUID(), persistent: false, network: false });
    await runIn(driver, ref, 'printf "#!/bin/sh\\necho mine >&2" > prlimit; cp prlimit env; chmod +x prlimit env');
    const env = { PATH: '/work:/usr/bin:/bin', LD_PRELOAD: '/work/none.so' };
    const { stdout, stderr } = await runIn(driver, ref, 'ulimit -u; echo "$PATH"', { env });
    assert.equal(stdout, `${limits.processes}\n${env.PATH}\n`);
    assert.doesNotMatch(stderr, /mine/);
    // Only the caller's own program has tried to load it.
    assert.equal(stderr.match(/none\.so/g)?.length, 1, stderr);
    await driver.destroy(ref);
  });

  test('programs can open their own streams by name', async () => {
    const ref = await driver.create({ id: randomUUID(), persistent: false, network: false });
    const { stdout, stderr } = await runIn(driver, ref, 'cat /dev/stdin; echo a > /dev/stdout; echo b > /dev/stderr', {
      stdin: 'in\n',
    });
    assert.deepEqual([stdout, stderr], ['in\na\n', 'b\n']);
    await driver.destroy(ref);
  });

  test('only the server can enter the directories of sandboxes, and root has no rights inside', async () => {
    const ref = await driver.create({ id: randomUUID(), persistent: false, network: false });
    await driver.files.write(ref, 'f', Buffer.from('x'));
    await runIn(driver, ref, 'echo y > g');
    const owners = new Set(
      readdirSync(join(root, ref, 'work')).map((name) => statSync(join(root, ref, 'work', name)).uid),
    );
    assert.equal(owners.size, 1);
    assert.equal(owners.has(0), false);
    assert.equal(statSync(root).mode & 0o077, 0o011);
    assert.equal(statSync(join(root, ref, 'work')).mode & 0o077, 0);
    await driver.destroy(ref);
  });
});

suite('the network of bubblewrap', { skip }, () => {
  const web = createServer((_, answer) => answer.end('from the web'));
  after(() => web.close());

  /** Simulates the internet: a public address that leads to our own server. */
  const listening = new Promise<number>((resolve) =>
    web.listen(0, '127.0.0.1', () => resolve((web.address() as AddressInfo).port)),
  );

  test('a sandbox with network reaches the web through the proxy, and nothing private', async () => {
    const port = await listening;
    const { connect } = await import('node:net');
    const open = makeCheckedSockets({
      allow: makeAllowList([]),
      resolve: async (name) => (name === 'public.test' ? ['93.184.216.34'] : ['127.0.0.1']),
      connect: () => {
        const socket = connect({ host: '127.0.0.1', port });
        Object.defineProperty(socket, 'remoteAddress', { get: () => '93.184.216.34' });
        return socket;
      },
    });
    const driver = makeBubblewrap({ root: mkdtempSync(join(tmpdir(), 'atrium-net-')), limits, open });
    after(() => driver.close());
    const ref = await driver.create({ id: randomUUID(), persistent: false, network: true });
    const ask = (url: string) =>
      runIn(
        driver,
        ref,
        `import urllib.request
try: print(urllib.request.urlopen('${url}', timeout=30).read().decode())
except Exception as e: print('refused', getattr(e, 'code', ''))`,
        { language: 'python' },
      );
    assert.equal((await ask('http://public.test/')).stdout, 'from the web\n');
    for (const url of [
      'http://private.test/',
      'http://127.0.0.1:80/',
      'http://169.254.169.254/',
      'http://public.test:25/',
      `http://127.0.0.1:${port}/`,
    ])
      assert.match((await ask(url)).stdout, /^refused/, url);
    const tunnel = await runIn(
      driver,
      ref,
      `import socket
def ask(target):
    s = socket.create_connection(('127.0.0.1', 3128), 30); s.sendall(('CONNECT %s HTTP/1.1\\r\\n\\r\\n' % target).encode())
    return s.recv(100).decode().split(' ')[1]
print(ask('public.test:443'), ask('private.test:443'), ask('public.test:22'), ask('[::1]:80'), ask('nonsense'))`,
      { language: 'python' },
    );
    assert.equal(tunnel.stdout, '200 502 502 502 502\n', tunnel.stderr);
    const without = await driver.create({ id: randomUUID(), persistent: false, network: false });
    const alone = await runIn(
      driver,
      without,
      "import socket\ntry: socket.create_connection(('127.0.0.1', 3128), 2); print('reached')\nexcept OSError: print('refused')",
      { language: 'python' },
    );
    assert.equal(alone.stdout, 'refused\n');
    await driver.destroy(ref);
    await driver.destroy(without);
  });
});
