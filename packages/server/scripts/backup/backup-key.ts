import { randomBytes, scryptSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BoxKey, boxKey } from '../../src/lib/secrets/sealed-box.ts';

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
export function openBackupKey(dir: string, passphrase: string | undefined, make: 'make' | undefined): BoxKey {
  if (!passphrase || passphrase.length < 12)
    throw new Error('Set ATRIUM_BACKUP_PASSPHRASE to a passphrase of at least 12 characters');
  const path = join(dir, fileName);
  if (!existsSync(path)) {
    if (!make) throw new Error(`There is no backup in ${dir}: it has no ${fileName}`);
    const salt = randomBytes(32).toString('base64url');
    const key = derive(passphrase, salt, cost);
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const file: KeyFile = { format: 1, salt, cost, key_id: key.id };
    writeFileSync(path, `${JSON.stringify(file)}\n`, { mode: 0o600, flag: 'wx' });
    return key;
  }
  const file = JSON.parse(readFileSync(path, 'utf8')) as KeyFile;
  if (file.format !== 1) throw new Error(`${path} was written by a newer version of the program`);
  const key = derive(passphrase, file.salt, file.cost);
  if (key.id !== file.key_id)
    throw new Error(`ATRIUM_BACKUP_PASSPHRASE is not the passphrase of the backups in ${dir}`);
  return key;
}
