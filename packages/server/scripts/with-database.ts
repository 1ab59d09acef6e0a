import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';
import type { Config } from '../src/config.ts';
import { lockDataDir } from '../src/db/embedded/data-dir-lock.ts';
import { runningServer } from '../src/db/embedded/running-server.ts';
import { startEmbedded } from '../src/db/embedded/start-embedded.ts';

/** The database that the program uses: beside a running one, or started for as long as this takes. */
export async function withDatabase(
  config: Pick<Config, 'database_url' | 'data_dir'> & Partial<Pick<Config, 'database_direct_url'>>,
  work: (connection: PoolConfig) => Promise<void>,
): Promise<void> {
  const url = config.database_direct_url ?? config.database_url;
  if (url !== undefined) return work({ connectionString: url });
  const dir = join(config.data_dir, 'postgres');
  const running = runningServer(dir);
  if (running) return work(running);
  if (!existsSync(dir)) throw new Error(`There is no database in ${config.data_dir}; set ATRIUM_DATA_DIR`);
  const release = lockDataDir(config.data_dir);
  const server = await startEmbedded({ dir });
  try {
    await work(server.connection);
  } finally {
    await server.stop();
    release();
  }
}
