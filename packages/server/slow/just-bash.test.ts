import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import type { EndReason } from '@atrium/contract/sandboxes/engines.ts';
import { sandboxConformance } from '../src/drivers/sandboxes/conformance.ts';
import type { SandboxDriver } from '../src/drivers/sandboxes/driver.ts';
import { makeJustBash } from '../src/drivers/sandboxes/just-bash/just-bash.ts';
import { limited } from '../src/drivers/sandboxes/limit-command.ts';
import { runToEnd } from '../src/drivers/sandboxes/run-to-end.ts';
import { smallLimits as limits, sandboxRoot } from '../src/drivers/sandboxes/testing.ts';

const root = sandboxRoot();
sandboxConformance('just-bash', { make: () => makeJustBash({ root, limits }) });

// Only the tests of the CPU limit get one second; the rest need more on a slow machine.
const [brief, usual] = [1, 60].map((cpu_seconds) => makeJustBash({ root, limits: { ...limits, cpu_seconds } })) as [
  SandboxDriver,
  SandboxDriver,
];
after(() => Promise.all([brief.close(), usual.close()]));

const cases: Partial<Record<EndReason, string>> = {
  cpu: 'while :; do for i in 1 2 3; do :; done; done',
  file_size: 'x=$(printf "%01000000d" 1); for i in 1 2 3 4 5 6; do printf %s "$x" >> big; done',
  disk: 'x=$(printf "%01000000d" 1); for i in $(seq 20); do printf %s "$x" > f$i; done',
  inodes: 'for i in $(seq 400); do : > e$i; done',
};

for (const [reason, code] of Object.entries(cases))
  test(`just-bash: ${reason} has a reason of its own`, async () => {
    const driver = reason === 'cpu' ? brief : usual;
    const ref = await driver.create({ id: randomUUID(), persistent: false, network: false });
    const command = { language: 'bash', code, cwd: '', env: {}, stdin: '' } as const;
    const { ended, stderr } = await runToEnd(limited(driver, ref, command, limits));
    assert.deepEqual(ended, { exit_code: null, reason }, stderr.slice(-300));
    await driver.destroy(ref);
  });
