import { hkdfSync, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type BoxKey, boxKey } from '../../lib/sealed-box.ts';

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
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}

function readOrMake(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeOnce(path, `${randomBytes(32).toString('base64url')}\n`);
  return readFileSync(path, 'utf8').trim();
}

/** The key that all data keys are sealed with: from the environment, or a file of the data directory made once. */
export function loadMasterKey({ data_dir, secret_key }: { data_dir: string; secret_key: string | undefined }): BoxKey {
  let text = secret_key;
  if (text === undefined) {
    mkdirSync(data_dir, { recursive: true, mode: 0o700 });
    const path = join(data_dir, 'master.key');
    text = readOrMake(path);
    chmodSync(path, 0o600);
    if (text.length < 16) throw new Error(`The master key in ${path} is too short; restore the file from a backup`);
  }
  return boxKey(Buffer.from(hkdfSync('sha256', text, '', 'atrium master key', 32)));
}
