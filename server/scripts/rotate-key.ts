import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';
import { rotateKey } from '../src/app/rotate-key.ts';
import { type Config, loadConfig } from '../src/config.ts';
import { lockDataDir } from '../src/db/embedded/data-dir-lock.ts';
import { runningServer } from '../src/db/embedded/running-server.ts';
import { startEmbedded } from '../src/db/embedded/start-embedded.ts';
import { makeLog } from '../src/lib/log.ts';

/** The database that the program uses: beside a running one, or started for as long as this takes. */
async function withStorage(config: Config, work: (connection: PoolConfig) => Promise<void>): Promise<void> {
  if (config.database_url !== undefined) return work({ connectionString: config.database_url });
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

const say = (line: string) => void process.stdout.write(`${line}\n`);
try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = loadConfig(process.env);
  const log = makeLog('warn');
  await withStorage(config, (connection) => rotateKey(config, connection, { log, say }));
} catch (error) {
  process.stderr.write(`\nThe keys were not rotated: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
