import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from './connection.ts';
import { readPostmasterFile, stopPostmaster } from './postmaster.ts';
import { isRunning } from './process-info.ts';
import type { EmbeddedServer, StartOptions } from './start-embedded.ts';

/** A private temporary directory, and the end of every server started in it. */
export function workspace(): { dir: string; remove: () => Promise<void> } {
  const root = mkdtempSync(join(tmpdir(), 'atrium-pg-'));
  return {
    dir: join(root, 'postgres'),
    remove: async () => {
      for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
        if (!entry.endsWith('postmaster.pid')) continue;
        const cluster = dirname(join(root, entry));
        await stopPostmaster(readPostmasterFile(cluster)?.pid ?? 0, cluster, 5000);
      }
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export async function sql(connection: Connection, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Starts it in a process of its own, which stays until it is killed. */
export async function startInChild(
  options: StartOptions,
  account: { uid?: number; gid?: number } = {},
): Promise<{ child: ChildProcess; server: Pick<EmbeddedServer, 'pid' | 'connection' | 'adopted'> }> {
  const code = `
    import { startEmbedded } from ${JSON.stringify(new URL('./start-embedded.ts', import.meta.url).href)};
    const { pid, connection, adopted } = await startEmbedded(${JSON.stringify(options)});
    console.log(JSON.stringify({ pid, connection, adopted }));
    setInterval(() => {}, 1000);`;
  const args = ['--input-type=module', '-e', code];
  const child = spawn(process.execPath, args, { ...account, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  const answer = await Promise.race([once(child.stdout, 'data'), once(child, 'close').then(() => null)]);
  if (!answer) throw new Error(errors);
  return { child, server: JSON.parse(String(answer[0])) };
}

export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

export async function gone(pid: number): Promise<void> {
  while (isRunning(pid)) await sleep(10);
}

export function childrenOf(pid: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
}
