import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { decryptFrames, encryptBlob, headerBytes, parseHeader } from '../../src/drivers/blobs/blob-format.ts';
import type { BoxKey } from '../../src/lib/secrets/sealed-box.ts';

/** The name is part of the key of a file, so that files of a backup can't be swapped. */
const nameOf = (id: string) => ({ workspace_id: 'backup', id });

/** Writes an encrypted file, whole or not at all. */
export async function writeSealed(
  key: BoxKey,
  path: string,
  name: string,
  stream: AsyncIterable<Uint8Array>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(4).toString('hex')}.part`;
  const file = await open(draft, 'wx', 0o600);
  try {
    for await (const bytes of encryptBlob(key, nameOf(name), stream)) await file.writeFile(bytes);
    await file.sync();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Reads an encrypted file; fails when a byte of it was changed or its end is missing. */
export async function* readSealed(key: BoxKey, path: string, name: string): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
  await file.close();
  const header = parseHeader(buffer.subarray(0, bytesRead));
  if (header.form !== 'encrypted') throw new Error(`${path} is not a file of a backup`);
  const frames = { key, salt: header.salt, name: nameOf(name), first: 0, until: Number.MAX_SAFE_INTEGER };
  yield* decryptFrames(frames, createReadStream(path, { start: headerBytes }));
}
