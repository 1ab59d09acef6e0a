import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { BoxKey } from '../../src/lib/secrets/sealed-box.ts';
import type { BackupFolder } from './folder/backup-folder.ts';
import { readSealed, writeSealed } from './sealed-files.ts';
import type { StoredFile } from './stored-files.ts';

/** What one backup has. It is written last: a backup without one is not whole, and is not offered. */
export interface Manifest {
  format: 1;
  created_at: string;
  /** The newest migration of the database. */
  migration: number;
  /** `cluster`: the files of the embedded server. `dump`: what pg_dump wrote. */
  database: 'cluster' | 'dump';
  roles: string[];
  /** The id of the master key, and the key itself where it is in the data directory. */
  master_key_id: string;
  key_files: Record<string, string>;
  /** The password of the embedded server. */
  server_password: string | null;
  files: StoredFile[];
}

const placeOf = (folder: BackupFolder, backup: string) => {
  const name = `${backup}/manifest`;
  return { folder, path: name, name };
};

export const writeManifest = (key: BoxKey, folder: BackupFolder, backup: string, manifest: Manifest) =>
  writeSealed(key, placeOf(folder, backup), Readable.from([Buffer.from(JSON.stringify(manifest))]));

export async function readManifest(key: BoxKey, folder: BackupFolder, backup: string): Promise<Manifest> {
  const bytes = Readable.from(readSealed(key, placeOf(folder, backup)));
  const manifest = JSON.parse(await text(bytes)) as Manifest;
  if (manifest.format !== 1) throw new Error('The backup was written by a newer version of the program');
  return manifest;
}

/** The names of the whole backups in a folder, the oldest first. */
export async function listBackups(folder: BackupFolder): Promise<string[]> {
  const names = (await folder.listFolders()).filter((name) => /^\d{8}T\d{6}Z$/.test(name)).sort();
  const whole = await Promise.all(names.map((name) => folder.has(placeOf(folder, name).path)));
  return names.filter((_, at) => whole[at]);
}
