import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../lib/error-code.ts';
import { argumentsOf, hasWorkingDirectory, isRunning } from './process-info.ts';

export interface PostmasterFile {
  pid: number;
  port: number;
  /** Absolute; empty when it listens on loopback only. */
  socketDir: string;
  listensOn: string;
  status: 'starting' | 'stopping' | 'ready' | 'standby' | '';
}

/** On the command line, where it also tells a reader of `ps` whose server this is. */
export function clusterMark(cluster: string): string {
  return `atrium.cluster=${cluster}`;
}

export function readPostmasterFile(cluster: string): PostmasterFile | null {
  let text: string;
  try {
    text = readFileSync(join(cluster, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  // Written line by line while it starts, so any but the first may be missing yet.
  const [pid = '', , , port = '', socketDir = '', listensOn = '', , status = ''] = text
    .split('\n')
    .map((l) => l.trim());
  return {
    pid: Number.parseInt(pid, 10) || 0,
    port: Number.parseInt(port, 10) || 0,
    socketDir: socketDir && resolve(cluster, socketDir),
    listensOn,
    status: status as PostmasterFile['status'],
  };
}

/** Whether this process is a PostgreSQL server on this cluster, and not another that got the pid later. */
export function isPostmasterOf(pid: number, cluster: string): boolean {
  if (pid <= 0 || !isRunning(pid)) return false;
  const args = argumentsOf(pid);
  if (!/^post(gres|master)\b/.test(basename(args[0] ?? ''))) return false;
  return hasWorkingDirectory(pid, cluster) ?? args.join(' ').includes(clusterMark(cluster));
}

/** Fast shutdown, immediate if that takes too long, and a kill if even that does. */
export async function stopPostmaster(pid: number, cluster: string, patienceMs = 20_000): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', patienceMs],
    ['SIGQUIT', Math.min(patienceMs, 5000)],
    ['SIGKILL', 5000],
  ];
  for (const [signal, waitMs] of steps) {
    if (!isPostmasterOf(pid, cluster)) return;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) === 'ESRCH') return;
      throw error;
    }
    const deadline = Date.now() + waitMs;
    while (isRunning(pid) && Date.now() < deadline) await sleep(5);
  }
}
