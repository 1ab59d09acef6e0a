import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Limits } from './driver.ts';

const mebibyte = 1024 * 1024;

/** Small, so that tests reach each of them soon. */
export const smallLimits: Limits = {
  wall_ms: 60_000,
  cpu_seconds: 10,
  memory_bytes: 128 * mebibyte,
  processes: 40,
  file_bytes: 4 * mebibyte,
  disk_bytes: 10 * mebibyte,
  inodes: 200,
  output_bytes: mebibyte,
};

/** Whether bubblewrap works on this machine; `npm run test:sandboxes` requires it. */
export const hasBubblewrap = spawnSync('bwrap', ['--version']).status === 0;
export const withoutBubblewrap = hasBubblewrap ? false : 'bubblewrap is not installed (apt-get install bubblewrap)';

/** A directory for the sandboxes of a test file. */
export function sandboxRoot(): string {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-sandboxes-'));
  after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
