import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cannotStart } from './cannot-start.ts';
import type { ClusterPaths } from './cluster.ts';
import { fitsSocket, socketPort } from './connection.ts';
import { clusterMark, readPostmasterFile, stopPostmaster } from './postmaster.ts';
import type { Privileges } from './privileges.ts';
import { openServerLog, serverLogSize, serverLogTail } from './server-log.ts';
import { serverSettings } from './server-settings.ts';

interface LaunchOptions {
  paths: ClusterPaths;
  native: string;
  privileges: Privileges;
  log: (message: string) => void;
  settings?: Record<string, string> | undefined;
  /** Called when the server has been started and is waited for. */
  onLaunch?: (() => void) | undefined;
}

const orphansMs = 30_000;
const recoveryMs = 10 * 60_000;

/** Waits until the server takes connections, which after a crash includes the recovery. Null: another one is there. */
export async function launchPostmaster(
  options: LaunchOptions,
): Promise<{ pid: number; host: string; port: number } | null> {
  const { paths } = options;
  const bySocket = fitsSocket(paths.socket);
  const giveUp = Date.now() + orphansMs;
  for (let portsTried = 0; ; ) {
    const address = bySocket ? { host: paths.socket, port: socketPort } : { host: '127.0.0.1', port: await freePort() };
    const outcome = await launchOnce(options, address);
    if ('pid' in outcome) return { pid: outcome.pid, ...address };
    if (outcome.output.includes('lock file "postmaster.pid" already exists')) return null;
    if (outcome.output.includes('pre-existing shared memory block') && Date.now() < giveUp) {
      // Backends of a killed postmaster end by themselves as soon as they notice.
      await sleep(200);
    } else if (bySocket || !outcome.output.includes('could not bind') || ++portsTried >= 5) {
      throw cannotStart(outcome.failure, outcome.output);
    }
  }
}

type Outcome = { pid: number } | { failure: string; output: string };

async function launchOnce(options: LaunchOptions, address: { host: string; port: number }): Promise<Outcome> {
  const { paths, native, privileges, log } = options;
  const listening = address.host.startsWith('/')
    ? // Relative: the account that runs the server may be unable to reach it by its full path.
      { listen_addresses: '', unix_socket_directories: '../socket' }
    : { listen_addresses: address.host, unix_socket_directories: '' };
  const settings = { ...serverSettings, ...options.settings, ...listening, port: String(address.port) };
  const args = ['-D', privileges.dataDirArgument(paths.cluster), '-c', clusterMark(paths.cluster)];
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);

  const output = openServerLog(paths.log);
  const from = serverLogSize(paths.log);
  // In a session of its own, Ctrl-C in the terminal reaches us alone and we stop it in order.
  const child = privileges.spawn(join(native, 'bin', 'postgres'), args, {
    cwd: paths.cluster,
    output: output.file,
    detached: true,
  });
  output.close();
  let failure: string | null = null;
  child.on('error', (error) => {
    failure = error.message;
  });
  child.once('exit', (code, signal) => {
    failure = `the server ended with ${signal ?? `code ${code}`}.`;
  });
  child.unref();
  options.onLaunch?.();

  const begun = Date.now();
  let reported = begun;
  while (failure === null) {
    const file = readPostmasterFile(paths.cluster);
    if (child.pid !== undefined && file?.pid === child.pid && file.status === 'ready') return { pid: child.pid };
    if (Date.now() - begun > recoveryMs && child.pid !== undefined) {
      await stopPostmaster(child.pid, paths.cluster);
      failure = 'the server was not ready within ten minutes.';
      break;
    }
    if (Date.now() - reported > 10_000) {
      reported = Date.now();
      log('PostgreSQL is still recovering.');
    }
    await sleep(5);
  }
  return { failure, output: serverLogTail(paths.log, from) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port on 127.0.0.1.');
  return address.port;
}
