import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../../lib/ids.ts';
import { IndexMissing } from '../driver.ts';

const fileName = 'model.bin';

/** Replaces the file at once, because searches read it at any time. */
export async function writeModelFile(dir: string, bytes: Uint8Array | null): Promise<void> {
  const path = join(dir, fileName);
  if (bytes === null) return rm(path, { force: true });
  const beside = `${path}.${newId()}`;
  try {
    await writeFile(beside, bytes, { mode: 0o600 });
    await rename(beside, path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new IndexMissing(error) : error;
  }
}

export async function readModelFile(
  dir: string,
  known: string | undefined,
): Promise<{ bytes: Buffer; version: string } | 'unchanged' | undefined> {
  const path = join(dir, fileName);
  const facts = await stat(path).catch(() => undefined);
  if (!facts) return undefined;
  const version = `${facts.ino}-${facts.size}-${facts.mtimeMs}`;
  if (version === known) return 'unchanged';
  const bytes = await readFile(path).catch(() => undefined);
  return bytes && { bytes, version };
}
