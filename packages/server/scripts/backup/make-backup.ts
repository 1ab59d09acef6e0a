import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import pg, { type PoolConfig } from 'pg';
import type { Config } from '../../src/config.ts';
import { clusterPaths, readPassword } from '../../src/db/embedded/cluster.ts';
import { makeS3Blobs } from '../../src/drivers/blobs/s3/s3-blobs.ts';
import { describeBucket } from '../../src/drivers/s3/claim-bucket.ts';
import { loadMasterKeys } from '../../src/features/keyring/load-master-key.ts';
import { makeLog } from '../../src/lib/log.ts';
import { required } from '../../src/lib/required.ts';
import { withDatabase } from '../with-database.ts';
import { openBackupKey } from './backup-key.ts';
import { copyCluster } from './copy-cluster.ts';
import { dumpServer, readRoles } from './dump-server.ts';
import { type BackupTargets, openBackupFolder } from './folder/open-backup-folder.ts';
import { writeManifest } from './manifest.ts';
import { writeSealed } from './sealed-files.ts';
import { type StoredFile, storeFiles } from './stored-files.ts';

const keyNames = ['master.key', 'master.key.next'] as const;

function readKeyFiles(data_dir: string): Record<string, string> {
  const known = keyNames.filter((name) => existsSync(join(data_dir, name)));
  return Object.fromEntries(known.map((name) => [name, readFileSync(join(data_dir, name), 'utf8')]));
}

/** When keys are replaced during the backup, the database in it may need both; the program reads both files. */
function joinKeyFiles(before: Record<string, string>, after: Record<string, string>): Record<string, string> {
  const [old, now] = [before['master.key'], after['master.key']];
  const next = before['master.key.next'] ?? (now !== old ? now : after['master.key.next']);
  return { ...(old !== undefined && { 'master.key': old }), ...(next !== undefined && { 'master.key.next': next }) };
}

async function readMigration(connection: PoolConfig): Promise<number> {
  const client = new pg.Client(connection as pg.ClientConfig);
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ newest: number }>('select max(version) as newest from schema_migrations');
    return Number(rows[0]?.newest ?? 0);
  } finally {
    await client.end();
  }
}

/**
 * Backs up the database, files and keys while the program runs. Files are copied before the database, so that those that
 * are deleted meanwhile are there, and once more after it, so that those that came meanwhile are there too. `left_out`:
 * the files and directories of sandboxes that can't be read.
 */
export async function makeBackup(
  config: Pick<Config, 'data_dir' | 'database_url' | 'database_direct_url' | 'secret_key'> & BackupTargets,
  target: string,
  passphrase: string | undefined,
): Promise<{ name: string; files: number; written: number; left_out: string[] }> {
  const { data_dir } = config;
  if (!existsSync(data_dir)) throw new Error(`There is no data directory ${data_dir}; set ATRIUM_DATA_DIR`);
  const log = makeLog('silent');
  const blobs = config.blobs && makeS3Blobs(config.blobs, { log });
  if (config.blobs && (await describeBucket(config.blobs, { log })) !== 'owned')
    throw new Error('No files were ever stored under the prefix of ATRIUM_BLOBS; check it');
  const folder = await openBackupFolder(config, target);
  const key = await openBackupKey(folder, passphrase, 'make');
  const created_at = new Date();
  const name = created_at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const files = new Map<string, StoredFile>();
  const leftOut = new Set<string>();
  const keysBefore = readKeyFiles(data_dir);
  const first = await storeFiles(key, { data_dir, folder, blobs }, files, leftOut);
  const url = config.database_direct_url ?? config.database_url;
  let migration = 0;
  await withDatabase(config, async (connection) => {
    migration = await readMigration(connection);
    const cluster = () => realpathSync(join(data_dir, 'postgres', 'cluster'));
    const bytes = url === undefined ? copyCluster(connection, cluster()) : dumpServer(url);
    await writeSealed(key, { folder, path: `${name}/database`, name: `${name}/database` }, bytes);
  });
  const second = await storeFiles(key, { data_dir, folder, blobs }, files, leftOut);
  await writeManifest(key, folder, name, {
    ...{ format: 1, created_at: created_at.toISOString(), migration },
    database: url === undefined ? 'cluster' : 'dump',
    roles: url === undefined ? [] : await readRoles(url),
    master_key_id: required(loadMasterKeys(config, config.secret_key === undefined)[0]).id,
    key_files: config.secret_key === undefined ? joinKeyFiles(keysBefore, readKeyFiles(data_dir)) : {},
    server_password: url === undefined ? readPassword(clusterPaths(join(data_dir, 'postgres'))) : null,
    files: [...files.values()],
  });
  const left_out = [...leftOut].filter((path) => !files.has(path));
  return { name, files: files.size, written: first.written + second.written, left_out };
}
