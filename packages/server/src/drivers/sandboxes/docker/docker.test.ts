import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { startFakeDocker } from '../../../../test/engines/fake-docker.ts';
import { sandboxConformance } from '../conformance.ts';
import { runToEnd } from '../run-to-end.ts';
import { smallLimits as limits } from '../testing.ts';
import { makeDocker } from './docker.ts';

const docker = await startFakeDocker();
sandboxConformance('docker, against a fake of its API', {
  make: () => makeDocker({ socket: docker.socket, image: 'some:image', limits }),
});

test('runs a command in a container without network and rights, with limits, and removes it afterwards', async () => {
  const driver = makeDocker({ socket: docker.socket, image: 'some:image', limits });
  const ref = await driver.create({ id: randomUUID(), persistent: false, network: false });
  await runToEnd(
    driver.exec(ref, { language: 'bash', code: 'true', cwd: '', env: {}, stdin: '' }, new AbortController().signal),
  );
  // biome-ignore lint/suspicious/noExplicitAny: the request as Docker got it
  const { User, NetworkDisabled, HostConfig } = docker.made.at(-1) as any;
  assert.deepEqual([User, NetworkDisabled, HostConfig.NetworkMode], ['1000:1000', true, 'none']);
  assert.deepEqual([HostConfig.CapDrop, HostConfig.SecurityOpt], [['ALL'], ['no-new-privileges']]);
  assert.deepEqual([HostConfig.ReadonlyRootfs, HostConfig.CapAdd], [true, undefined]);
  assert.deepEqual([HostConfig.Memory, HostConfig.PidsLimit], [limits.memory_bytes, limits.processes]);
  assert.equal(docker.containers.size, 0);
  await driver.destroy(ref);
});

test('shows the folder of wheels to a container, to be read only', async () => {
  const driver = makeDocker({ socket: docker.socket, image: 'some:image', limits, wheels: '/srv/wheels' });
  const ref = await driver.create({ id: randomUUID(), persistent: false, network: false });
  const command = { language: 'bash', code: 'true', cwd: '', env: { PIP_USER: '0' }, stdin: '' } as const;
  await runToEnd(driver.exec(ref, command, new AbortController().signal));
  // biome-ignore lint/suspicious/noExplicitAny: the request as Docker got it
  const { Env, HostConfig } = docker.made.at(-1) as any;
  const bind = { Type: 'bind', Source: '/srv/wheels', Target: '/opt/wheels', ReadOnly: true };
  assert.deepEqual(HostConfig.Mounts.at(-1), bind);
  assert.ok(Env.includes('PIP_FIND_LINKS=/opt/wheels') && Env.includes('PIP_NO_INDEX=1'));
  assert.ok(Env.includes('PIP_USER=0'), 'a variable of the command wins');
  await driver.destroy(ref);
});

test('the self-test reports a missing image and a missing Docker', async () => {
  const missing = await makeDocker({ socket: docker.socket, image: 'missing', limits }).probe();
  assert.deepEqual([missing.usable, missing.note], [false, 'the image is not there: `docker pull missing`']);
  const away = await makeDocker({ socket: '/nonexistent.sock', image: 'x', limits }).probe();
  assert.equal(away.usable, false);
  assert.match(away.note, /can't be reached/);
});
