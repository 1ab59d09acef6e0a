import { hkdfSync, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from '../../lib/error-code.ts';
import { required } from '../../lib/required.ts';
import { type BoxKey, boxKey } from '../../lib/secrets/sealed-box.ts';

/** A name in a directory outlives a power cut only once the directory itself is written. */
function syncDir(path: string): void {
  const dir = openSync(dirname(path), 'r');
  try {
    fsyncSync(dir);
  } finally {
    closeSync(dir);
  }
}

/** Writes the whole file or none of it, and never over one that another process has just made. */
function writeOnce(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  syncDir(path);
}

const newKeyText = () => `${randomBytes(32).toString('base64url')}\n`;

export interface MasterKeySource {
  data_dir: string;
  secret_key: string | undefined;
}

const fileOf = (data_dir: string) => join(data_dir, 'master.key');
const nextFileOf = (data_dir: string) => join(data_dir, 'master.key.next');

export const masterKeyFrom = (text: string): BoxKey =>
  boxKey(Buffer.from(hkdfSync('sha256', text, '', 'atrium master key', 32)));

function readKeyFile(path: string): BoxKey[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8').trim();
  if (text.length < 16) throw new Error(`The master key in ${path} is too short; restore the file from a backup`);
  return [masterKeyFrom(text)];
}

/** The key that all data keys are sealed with: from the environment, or a file of the data directory made once. */
export function loadMasterKey({ data_dir, secret_key }: MasterKeySource): BoxKey {
  if (secret_key !== undefined) return masterKeyFrom(secret_key);
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  const path = fileOf(data_dir);
  if (!existsSync(path)) writeOnce(path, newKeyText());
  chmodSync(path, 0o600);
  return required(readKeyFile(path)[0]);
}

/** The same, and the one that is to take its place while they are being replaced. `again` never makes a file. */
export function loadMasterKeys(place: MasterKeySource, again = false): BoxKey[] {
  if (place.secret_key !== undefined) return [masterKeyFrom(place.secret_key)];
  const own = again ? readKeyFile(fileOf(place.data_dir)) : [loadMasterKey(place)];
  return [...own, ...readKeyFile(nextFileOf(place.data_dir))];
}

/** The next key in its file beside the first; one that an unfinished replacement has made is used again. */
export function nextKeyFile(data_dir: string): BoxKey {
  const path = nextFileOf(data_dir);
  if (!existsSync(path)) writeOnce(path, newKeyText());
  return required(readKeyFile(path)[0]);
}

/** The next key's file takes the place of the first in one step. */
export function promoteNextMasterKey(data_dir: string): void {
  renameSync(nextFileOf(data_dir), fileOf(data_dir));
  syncDir(fileOf(data_dir));
}
