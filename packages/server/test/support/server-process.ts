import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterPaths, readPassword } from '../../src/db/embedded/cluster.ts';
import { atriumConnection, type Connection, socketPort } from '../../src/db/embedded/connection.ts';
import { readPostmasterFile } from '../../src/db/embedded/postmaster.ts';
import { builtProgram } from './built-program.ts';

const start = new URL('../../start.mjs', import.meta.url).pathname;
const root = new URL('../../../..', import.meta.url).pathname;

export interface ServerProcess {
  pid: number;
  child: ChildProcess;
  /** Resolves with the server's address when it listens; rejects with its output when it exits before that. */
  ready: Promise<string>;
  output(): string;
  /** Asks it to end and waits until it has; the exit code, or the signal it died of. */
  stop(): Promise<number | string>;
  /** SIGKILL for node alone. */
  kill(): Promise<void>;
  /** SIGKILL for node and every process of its PostgreSQL, at one moment. */
  killEverything(): Promise<void>;
}

export interface ProcessOptions {
  dir: string;
  env?: Record<string, string>;
  /** For node itself. */
  flags?: string[];
  /** What `npm start` runs, in place of the bundle that it finds or makes. */
  fromStart?: boolean;
}

/** The real program on a data directory. */
export function startProcess({ dir, env = {}, flags = [], fromStart = false }: ProcessOptions): ServerProcess {
  const settings = {
    ...{ PORT: '0', HOST: '127.0.0.1', ATRIUM_DATA_DIR: dir, ATRIUM_LOG_LEVEL: 'warn', ATRIUM_PROCESSES: '1' },
    // One key makes the load of many callers.
    ...{ ATRIUM_REQUESTS_PER_MINUTE: '0', ATRIUM_STREAMS_PER_CALLER: '0' },
    ...env,
  };
  const program = fromStart ? [start, '--with-console'] : [builtProgram()];
  const child = spawn(process.execPath, [...flags, ...program], {
    cwd: root,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exit = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  const ready = new Promise<string>((resolve, reject) => {
    const hear = (data: Buffer) => {
      output += data;
      const address = /Atrium is running at (\S+)/.exec(output)?.[1];
      if (address) resolve(address);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    once(child, 'close').then(() => reject(new Error(output)), reject);
  });
  // A test that kills the server during startup does not await this promise.
  ready.catch(() => {});
  return {
    pid: child.pid as number,
    child,
    ready,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM');
      return exit;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
    killEverything: async () => {
      child.kill('SIGKILL');
      killAll(postgresIn(dir));
      await exit;
      // One that was just being forked is seen only now.
      await gone(dir, killAll);
    },
  };
}

/** Every process whose working directory lies in this data directory: initdb, the postmaster, all its children. */
export function postgresIn(dir: string): number[] {
  if (!existsSync(dir)) return [];
  const inside = `${realpathSync(dir)}/`;
  return readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`).startsWith(inside) ? [Number(name)] : [];
    } catch {
      // It has just ended, or is a zombie, or is not ours to look at.
      return [];
    }
  });
}

/** Waits until no process of PostgreSQL works in the directory; at most ten seconds. */
export async function gone(dir: string, meanwhile: (pids: number[]) => void = () => {}): Promise<void> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    const left = postgresIn(dir);
    if (left.length === 0) return;
    meanwhile(left);
    await sleep(10);
  }
  const names = postgresIn(dir).map((pid) => `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}`);
  throw new Error(`Still running in ${dir}: ${names.join(', ')}`);
}

export function killAll(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
}

export const postmasterOf = (dir: string): number => readPostmasterFile(join(dir, 'postgres', 'cluster'))?.pid ?? 0;

/** How to reach the database of a running server from beside it. */
export function databaseOf(dir: string): Connection {
  const paths = clusterPaths(realpathSync(join(dir, 'postgres')));
  return atriumConnection(paths.socket, socketPort, readPassword(paths) ?? '');
}
