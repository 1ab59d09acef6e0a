import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresIn, type ServerProcess, startProcess } from '../packages/server/test/support/server-process.ts';
import { startEnvironment, startFlags } from '../packages/server/test/support/start-command.ts';
import { type Bench, type Figure, median } from './lib/figure.ts';
import { commandOf, megabytesOf } from './lib/process-figures.ts';

const starts = 5;
const idleMs = 10_000;

/** From the spawn to the first 200 of /ready. */
async function timedStart(dir: string): Promise<{ server: ServerProcess; ms: number }> {
  const begun = performance.now();
  const env = { ...startEnvironment, ATRIUM_ADMIN_KEY: 'bench-admin-key-0123456789' };
  const server = startProcess({ dir, flags: startFlags, env, fromStart: true });
  const address = await server.ready;
  while (!(await fetch(`${address}/ready`)).ok) await sleep(5);
  return { server, ms: performance.now() - begun };
}

function memory(dir: string, server: ServerProcess): Figure[] {
  const processes = [server.pid, ...postgresIn(dir)].map((pid) => ({
    what: `  ${commandOf(pid)}`,
    megabytes: megabytesOf(pid),
  }));
  const sum = processes.reduce((total, { megabytes }) => total + megabytes, 0);
  return [
    { what: 'Memory at idle', value: `${sum.toFixed(0)} MB`, aim: { text: 'under 170 MB', met: sum < 170 } },
    ...processes.map(({ what, megabytes }) => ({ what, value: `${megabytes.toFixed(1)} MB` })),
  ];
}

async function measure(dir: string): Promise<Figure[]> {
  const first = await timedStart(dir);
  await first.server.stop();
  const times: number[] = [];
  for (let turn = 0; turn < starts; turn++) {
    const { server, ms } = await timedStart(dir);
    times.push(ms);
    await server.stop();
  }
  const { server } = await timedStart(dir);
  await sleep(idleMs);
  const used = memory(dir, server);
  await server.stop();
  const ms = Math.round(median(times));
  return [
    { what: 'First start, on an empty directory', value: `${Math.round(first.ms)} ms` },
    { what: `Start, median of ${starts}`, value: `${ms} ms`, aim: { text: 'under 1000 ms', met: ms < 1000 } },
    ...used,
  ];
}

export const startAndMemory: Bench = {
  name: 'start-and-memory',
  async run() {
    const dir = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
    try {
      return await measure(dir);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
};
