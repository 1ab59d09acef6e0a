import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../src/config.ts';
import { readMigrations } from '../../src/db/migrate.ts';
import { makeS3Blobs } from '../../src/drivers/blobs/s3/s3-blobs.ts';
import { requireFreeBucket, takeBucket } from '../../src/drivers/s3/claim-bucket.ts';
import { masterKeyFrom } from '../../src/features/keyring/load-master-key.ts';
import { makeLog } from '../../src/lib/log.ts';
import { readInstallation } from '../read-installation.ts';
import { withDatabase } from '../with-database.ts';
import { unpackArchive } from './archive-stream.ts';
import { openBackupKey } from './backup-key.ts';
import { restoreServer } from './dump-server.ts';
import { type BackupTargets, openBackupFolder } from './folder/open-backup-folder.ts';
import { listBackups, type Manifest, readManifest } from './manifest.ts';
import { readSealed } from './sealed-files.ts';
import { restoreFile } from './stored-files.ts';

type Place = Pick<Config, 'data_dir' | 'database_url' | 'database_direct_url' | 'secret_key'> & BackupTargets;

/** Refuses before anything is written. */
function checkPlace({ data_dir, secret_key, ...config }: Place, manifest: Manifest): void {
  const served = config.database_url !== undefined;
  if (existsSync(data_dir) && readdirSync(data_dir).length > 0)
    throw new Error(`${data_dir} is not empty; name an empty or new directory by ATRIUM_DATA_DIR`);
  if (manifest.database === 'dump' && !served)
    throw new Error('The backup is of a database server: set DATABASE_URL to an empty database');
  if (manifest.database === 'cluster' && served)
    throw new Error('The backup is of the embedded database: unset DATABASE_URL');
  const known = readMigrations().at(-1)?.version ?? 0;
  if (manifest.migration > known)
    throw new Error(
      `The backup has migration ${manifest.migration} and this program knows ${known}; use a newer program`,
    );
  const needed = Object.keys(manifest.key_files).length === 0;
  if (needed && (secret_key === undefined || masterKeyFrom(secret_key).id !== manifest.master_key_id))
    throw new Error('The master key was in the environment: set ATRIUM_SECRET_KEY to the key of that time');
  if (!needed && secret_key !== undefined) throw new Error('The backup brings its master key: unset ATRIUM_SECRET_KEY');
}

/** Restores a backup, by default the newest, into an empty data directory. */
export async function restoreBackup(
  place: Place,
  source: string,
  passphrase: string | undefined,
  wanted?: string,
): Promise<{ name: string; files: number }> {
  const folder = await openBackupFolder(place, source);
  const key = await openBackupKey(folder, passphrase, undefined);
  const names = await listBackups(folder);
  const name = wanted ?? names.at(-1);
  if (!name || !names.includes(name))
    throw new Error(
      `There is no whole backup ${wanted ?? ''} in ${folder.name}. There are: ${names.join(', ') || 'none'}`,
    );
  const manifest = await readManifest(key, folder, name);
  checkPlace(place, manifest);
  const { data_dir, blobs: bucket, indexes } = place;
  const log = makeLog('silent');
  // A restored copy never gets the prefix of the installation it was made from: each would delete what the other stores.
  if (bucket) await requireFreeBucket(bucket, { log });
  if (indexes) await requireFreeBucket(indexes, { log, setting: 'ATRIUM_INDEXES' });
  const blobs = bucket && makeS3Blobs(bucket, { log });
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  for (const file of manifest.files) await restoreFile(key, { folder, data_dir, blobs }, file);
  const bytes = readSealed(key, { folder, path: `${name}/database`, name: `${name}/database` });
  const url = place.database_direct_url ?? place.database_url;
  if (url !== undefined) await restoreServer(url, bytes, manifest.roles);
  else {
    const postgres = join(data_dir, 'postgres');
    mkdirSync(postgres, { mode: 0o700 });
    await unpackArchive(bytes, join(postgres, 'cluster'));
    await writeFile(join(postgres, 'password'), `${manifest.server_password ?? ''}\n`, { mode: 0o600 });
  }
  for (const [file, text] of Object.entries(manifest.key_files))
    await writeFile(join(data_dir, file), text, { mode: 0o600 });
  if (bucket)
    await withDatabase(place, async (connection) => takeBucket(bucket, { log }, await readInstallation(connection)));
  return { name, files: manifest.files.length };
}
