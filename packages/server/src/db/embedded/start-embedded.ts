import { mkdir, realpath } from 'node:fs/promises';
import { asError } from '../../lib/as-error.ts';
import { errorCode } from '../../lib/error-code.ts';
import { adoptPostmaster } from './adopt-postmaster.ts';
import { canRun, findBinaries, majorVersion, usableBinaries } from './binaries.ts';
import { cannotStart } from './cannot-start.ts';
import {
  clusterPaths,
  createCluster,
  hasCluster,
  prepareSocketDir,
  readPassword,
  removeDrafts,
  repairOwnership,
} from './cluster.ts';
import { atriumConnection, type Connection, openDatabase } from './connection.ts';
import { launchPostmaster } from './launch-postmaster.ts';
import { stopPostmaster } from './postmaster.ts';
import { choosePrivileges } from './privileges.ts';
import { argumentsOf } from './process-info.ts';

export interface EmbeddedServer {
  /** Taken as it is by pg.Pool; the host is a directory where a unix socket is used. */
  connection: Connection;
  pid: number;
  /** It was found running, left by a process that was killed. */
  adopted: boolean;
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Where all of it is kept; only its parent need exist. */
  dir: string;
  log?: (message: string) => void;
  /** Settings in place of our own. A server that was left running with other ones is started anew. */
  settings?: Record<string, string>;
  /** Called when the server has been started and is waited for: the time for other work. */
  onLaunch?: () => void;
  /** For tests: another copy of the binaries, and as root no user namespace. */
  native?: string;
  privileges?: 'account';
}

/** Starts PostgreSQL on `dir`, or adopts the one running there. Call it while holding the data directory's lock. */
export async function startEmbedded(options: StartOptions): Promise<EmbeddedServer> {
  try {
    // A parent killed while starting leaves a server that may show up between our looking for it and our starting.
    for (let attempt = 0; attempt < 3; attempt++) {
      const started = await adoptOrLaunch(options);
      if (started) return started;
    }
  } catch (error) {
    throw errorCode(error) ? cannotStart(`${asError(error).message}.`) : error;
  }
  throw cannotStart(`another PostgreSQL is starting and ending in ${options.dir}.`);
}

async function adoptOrLaunch(options: StartOptions): Promise<EmbeddedServer | null> {
  const { log = () => {} } = options;
  await mkdir(options.dir, { recursive: true, mode: 0o700 });
  const paths = clusterPaths(await realpath(options.dir));
  const packaged = options.native ?? findBinaries();

  let password = readPassword(paths);
  const exists = hasCluster(paths, majorVersion(packaged));
  if (exists) {
    if (!password) throw cannotStart(`${paths.password}, the password of the cluster beside it, is missing.`);
    const adopted = await adoptPostmaster({ cluster: paths.cluster, password, log });
    const settings = Object.entries(options.settings ?? {}).map(([name, value]) => `${name}=${value}`);
    if (adopted && settings.every((setting) => argumentsOf(adopted.pid).includes(setting)))
      return server(adopted.pid, adopted.connection, true, paths.cluster);
    if (adopted) {
      log(`The PostgreSQL left running (process ${adopted.pid}) has other settings; starting it anew.`);
      await stopPostmaster(adopted.pid, paths.cluster);
    }
  }

  await removeDrafts(paths);
  const privileges = await choosePrivileges(paths.dir, options.privileges, (likely) => void canRun(packaged, likely));
  await prepareSocketDir(paths, privileges);
  const native = await usableBinaries(packaged, paths.dir, privileges);
  if (!exists) {
    log('Making the database for the first time.');
    password = await createCluster(paths, native, privileges);
  } else {
    await repairOwnership(paths, privileges);
  }
  const { settings, onLaunch } = options;
  const launched = await launchPostmaster({ paths, native, privileges, log, settings, onLaunch });
  if (!launched) return null;
  const connection = atriumConnection(launched.host, launched.port, password ?? '');
  try {
    await openDatabase(connection, 15_000);
  } catch (error) {
    await stopPostmaster(launched.pid, paths.cluster);
    throw cannotStart(`it does not let us in: ${asError(error).message}.`);
  }
  return server(launched.pid, connection, false, paths.cluster);
}

function server(pid: number, connection: Connection, adopted: boolean, cluster: string): EmbeddedServer {
  let stopping: Promise<void> | null = null;
  return {
    connection,
    pid,
    adopted,
    stop: () => {
      stopping ??= stopPostmaster(pid, cluster);
      return stopping;
    },
  };
}
