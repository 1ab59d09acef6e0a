import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';
import type { Config } from '../../config.ts';
import type { LimitMemory } from '../../db/query-connections.ts';
import type { Log } from '../../lib/log.ts';
import type { Shutdown } from './shutdown.ts';

export interface Storage {
  connection: PoolConfig;
  direct?: PoolConfig;
  limitMemory?: LimitMemory;
}

/** What a process has besides its pools: for keys, notifications, queries of users and a look from outside. */
const furtherConnections = 12;
const usualConnections = 100;

/** As many connections as all processes may open, where our own server takes fewer by default. */
export function settingsFor({ processes, db_pool }: Pick<Config, 'processes' | 'db_pool'>): {
  settings?: Record<string, string>;
} {
  const grouped = Math.ceil(db_pool / 4);
  const needed = processes * (db_pool + grouped + furtherConnections) + 20;
  return needed <= usualConnections ? {} : { settings: { max_connections: String(needed) } };
}

interface Surroundings {
  log: Log;
  shutdown: Shutdown;
  onGone(error: Error): void;
  /** Called when the embedded server has been started and is waited for. */
  onLaunch?(): void;
}

/** The embedded server on our data directory, or the one DATABASE_URL names. */
export async function openStorage(
  config: Config,
  { log, shutdown, onGone, onLaunch = () => {} }: Surroundings,
): Promise<Storage> {
  if (config.database_direct_url !== undefined && config.database_url === undefined)
    throw new Error('DATABASE_DIRECT_URL is set without DATABASE_URL; set both, or DATABASE_URL alone');
  if (config.database_url !== undefined)
    return {
      connection: { connectionString: config.database_url },
      ...(config.database_direct_url !== undefined && { direct: { connectionString: config.database_direct_url } }),
    };
  const { lockDataDir } = await import('../../db/embedded/data-dir-lock.ts');
  const { superviseEmbedded } = await import('../../db/embedded/supervise-embedded.ts');
  mkdirSync(config.data_dir, { recursive: true, mode: 0o700 });
  shutdown.add(lockDataDir(config.data_dir));
  const server = await superviseEmbedded({
    dir: join(config.data_dir, 'postgres'),
    ...settingsFor(config),
    log: (message) => log.info(message),
    // The program is of no use without its database; its supervisor can start it again.
    onGone,
    onLaunch,
  });
  shutdown.add(() => server.stop());
  return server;
}
