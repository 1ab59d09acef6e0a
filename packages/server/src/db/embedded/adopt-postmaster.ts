import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cannotStart } from './cannot-start.ts';
import { atriumConnection, type Connection, openDatabase, sqlState } from './connection.ts';
import { isPostmasterOf, type PostmasterFile, readPostmasterFile, stopPostmaster } from './postmaster.ts';
import { exists, isRunning } from './process-info.ts';

interface AdoptOptions {
  cluster: string;
  password: string;
  log: (message: string) => void;
  /** How long a server may give no answer at all before it is stopped. */
  silenceMs?: number;
}

const recoveryMs = 10 * 60_000;
const pollMs = 50;

/** The server that a killed parent left running, once it answers; null when a new one is to be started. */
export async function adoptPostmaster(options: AdoptOptions): Promise<{ pid: number; connection: Connection } | null> {
  const { cluster, password, log, silenceMs = 10_000 } = options;
  const found = readPostmasterFile(cluster);
  if (!found) return null;
  if (!isPostmasterOf(found.pid, cluster)) {
    // PostgreSQL mistakes any process with that pid for its own, even an unreaped zombie. Without such a process the
    // file stays: PostgreSQL reads from it which shared memory to check for orphans.
    if (found.pid > 0 && exists(found.pid)) {
      log(`Removing a stale postmaster.pid: process ${found.pid} is not our PostgreSQL.`);
      await rm(join(cluster, 'postmaster.pid'), { force: true });
    }
    return null;
  }
  const begun = Date.now();
  let heard = begun;
  while (isRunning(found.pid)) {
    const file = readPostmasterFile(cluster);
    const connection = file?.pid === found.pid ? connectionOf(file, password) : null;
    try {
      if (connection) {
        await openDatabase(connection, Math.min(silenceMs, 5000));
        return { pid: found.pid, connection };
      }
    } catch (error) {
      const state = sqlState(error);
      if (state?.startsWith('28')) throw wrongPassword(cluster, found.pid);
      // Starting, recovering, stopping, or all its connections taken: it lives, and it's worth the wait.
      if (state) heard = Date.now();
    }
    if (Date.now() - heard > silenceMs || Date.now() - begun > recoveryMs) {
      log(`The PostgreSQL left running (process ${found.pid}) does not answer; stopping it.`);
      await stopPostmaster(found.pid, cluster, silenceMs);
      return null;
    }
    await sleep(pollMs);
  }
  return null;
}

export function connectionOf(file: PostmasterFile, password: string): Connection | null {
  if (file.port === 0) return null;
  if (file.listensOn) return atriumConnection('127.0.0.1', file.port, password);
  return file.socketDir ? atriumConnection(file.socketDir, file.port, password) : null;
}

function wrongPassword(cluster: string, pid: number): Error {
  return cannotStart(`the server on ${cluster} (process ${pid}) does not take the password in the file beside it.`);
}
