/**
 * Tries every attack on one engine as the current user and writes the outcomes as JSON lines. It is a separate process
 * because the secrets must be in its initial environment and because it may have to run as another user.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBubblewrap } from '../../src/drivers/sandboxes/bubblewrap/bubblewrap.ts';
import type { SandboxDriver } from '../../src/drivers/sandboxes/driver.ts';
import { makeJustBash } from '../../src/drivers/sandboxes/just-bash/just-bash.ts';
import type { Attack } from './attack.ts';
import { attackLimits as limits, makeRig } from './attack-setup.ts';
import { escapeAttacks } from './escape-attempts.ts';
import { misleadingFileAttacks } from './misleading-files.ts';
import { resourceExhaustionAttacks } from './resource-exhaustion.ts';
import { makeUnsandboxed } from './unsandboxed.ts';

const [engine = '', only = ''] = process.argv.slice(2);
const root = mkdtempSync(join(tmpdir(), 'atrium-attacked-'));
const engines: Record<string, () => SandboxDriver> = {
  bubblewrap: () => makeBubblewrap({ root, limits }),
  'bubblewrap without a control group': () => makeBubblewrap({ root, limits, groups: false }),
  // Its Python takes seconds to start, and about a hundred megabytes before it has done anything.
  'just-bash': () =>
    makeJustBash({ root, limits: { ...limits, cpu_seconds: 10, memory_bytes: 2 * limits.memory_bytes } }),
  none: () => makeUnsandboxed(root),
};
const attacks: Attack[] = [...escapeAttacks, ...resourceExhaustionAttacks, ...misleadingFileAttacks];
const driver = (engines[engine] as () => SandboxDriver)();
const rig = await makeRig(driver, root, engine === 'just-bash' ? 20_000 : limits.wall_ms);
try {
  for (const attack of attacks) {
    if ((engine === 'none' && !attack.harmless) || !attack.name.includes(only)) continue;
    const begun = performance.now();
    const told = await attack.attempt(rig).then(
      () => ({ held: true, why: '' }),
      (error: Error) => ({ held: false, why: error.message }),
    );
    const line = { attack: attack.name, ...told, ms: Math.round(performance.now() - begun) };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
} finally {
  await rig.close();
  await driver.close();
  rmSync(root, { recursive: true, force: true });
}
process.exit(0);
