import { randomBytes, scryptSync } from 'node:crypto';
import { type BoxKey, boxKey } from '../../src/lib/secrets/sealed-box.ts';
import type { BackupFolder } from './folder/backup-folder.ts';

const fileName = 'backup.json';
const cost = { N: 131_072, r: 8, p: 1 };

interface KeyFile {
  format: 1;
  salt: string;
  cost: typeof cost;
  /** Says whether a passphrase is the right one, and nothing about it. */
  key_id: string;
}

const derive = (passphrase: string, salt: string, { N, r, p }: typeof cost): BoxKey =>
  boxKey(scryptSync(passphrase, Buffer.from(salt, 'base64url'), 32, { N, r, p, maxmem: 256 * N * r }));

/** The key of all backups in a folder, from the passphrase. The first backup makes the file that it depends on. */
export async function openBackupKey(
  folder: BackupFolder,
  passphrase: string | undefined,
  make: 'make' | undefined,
): Promise<BoxKey> {
  if (!passphrase || passphrase.length < 12)
    throw new Error('Set ATRIUM_BACKUP_PASSPHRASE to a passphrase of at least 12 characters');
  const stored = await folder.read(fileName);
  if (!stored) {
    if (!make) throw new Error(`There is no backup in ${folder.name}: it has no ${fileName}`);
    const salt = randomBytes(32).toString('base64url');
    const key = derive(passphrase, salt, cost);
    const file: KeyFile = { format: 1, salt, cost, key_id: key.id };
    await folder.create(fileName, Buffer.from(`${JSON.stringify(file)}\n`));
    return key;
  }
  const file = JSON.parse(stored.toString()) as KeyFile;
  if (file.format !== 1) throw new Error(`${fileName} in ${folder.name} was written by a newer version of the program`);
  const key = derive(passphrase, file.salt, file.cost);
  if (key.id !== file.key_id)
    throw new Error(`ATRIUM_BACKUP_PASSPHRASE is not the passphrase of the backups in ${folder.name}`);
  return key;
}
