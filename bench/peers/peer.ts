import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { StreamTarget } from '../lib/conversation-load.ts';

/** Another server that does the same work, and how it is installed, built and started. */
export interface Peer {
  name: string;
  /** Exact versions from npm. */
  packages: Record<string, string>;
  /** The files of its project. */
  files: Record<string, string>;
  /** Commands of its packages that run once after the installation, each with its arguments. */
  build: string[][];
  /** The program of node that is the server, in the project's folder, with its arguments. */
  start(port: number): string[];
  env(options: { port: number; providerUrl: string; dir: string }): Record<string, string>;
  /** A path that answers once the server is ready. */
  ready: string;
  target(address: string): Pick<StreamTarget, 'create' | 'say' | 'token' | 'end'> & { close(): void };
  /** What must be known to read its figures. */
  note: string;
}

export interface RunningPeer {
  target: StreamTarget;
  stop(): Promise<void>;
}

const installMinutes = 15;
const startSeconds = 90;
const path = { PATH: process.env['PATH'], HOME: process.env['HOME'] };

/** Installing needs the proxies, certificates and registry that this environment names; a running peer gets none of it. */
const run = (command: string, args: string[], cwd: string) =>
  promisify(execFile)(command, args, { cwd, env: process.env, timeout: installMinutes * 60_000, maxBuffer: 64 << 20 });

/** Installs a peer into its folder unless these very versions and files are there already. */
export async function installPeer({ name, packages, files, build }: Peer, dir: string): Promise<void> {
  const wanted = JSON.stringify({ packages, files, build });
  const mark = join(dir, '.installed');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  process.stderr.write(`Installing ${name} into ${dir}; this takes minutes.\n`);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const project = { name: `peer-${name}`, private: true, type: 'module', dependencies: packages };
  for (const [file, text] of Object.entries({ 'package.json': JSON.stringify(project), ...files })) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], dir);
  for (const command of build) await run('npx', ['--no-install', ...command], dir);
  writeFileSync(mark, wanted);
}

/** A process and all that it started: their processor time counts as the server's. */
function family(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    try {
      if (!/^\d+$/.test(entry)) continue;
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It has just ended.
    }
  }
  const own = new Set([pid]);
  for (let size = 0; size < own.size; ) {
    size = own.size;
    for (const [child, parent] of parents) if (own.has(parent)) own.add(child);
  }
  return [...own];
}

export async function startPeer(peer: Peer, dir: string, providerUrl: string, port: number): Promise<RunningPeer> {
  const env = { ...path, HOST: '127.0.0.1', NODE_ENV: 'production', ...peer.env({ port, providerUrl, dir }) };
  const child = spawn(process.execPath, peer.start(port), { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output = (output + data).slice(-4000);
    });
  const exit = once(child, 'exit');
  const pid = child.pid as number;
  const stop = async () => {
    // Children first, since a parent that has ended leaves them behind.
    for (const member of family(pid).toReversed())
      try {
        process.kill(member, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    await exit;
  };
  const address = `http://127.0.0.1:${port}`;
  for (let waited = 0; ; waited++) {
    const answer = await fetch(`${address}${peer.ready}`).catch(() => undefined);
    if (answer?.ok) break;
    if (waited < startSeconds && child.exitCode === null) {
      await sleep(1000);
      continue;
    }
    await stop();
    throw new Error(`${peer.name} did not start: ${output}`);
  }
  const { close, ...target } = peer.target(address);
  return {
    target: { ...target, server: () => family(pid), database: () => [] },
    stop: async () => {
      close();
      await stop();
    },
  };
}
