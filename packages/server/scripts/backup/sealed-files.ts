import { decryptFrames, encryptBlob, headerBytes, parseHeader } from '../../src/drivers/blobs/blob-format.ts';
import type { BoxKey } from '../../src/lib/secrets/sealed-box.ts';
import type { BackupFolder } from './folder/backup-folder.ts';

/** A place in the folder of backups. The name is part of the key of a file, so that files of a backup can't be swapped. */
interface SealedPlace {
  folder: BackupFolder;
  path: string;
  name: string;
}

const nameOf = (id: string) => ({ workspace_id: 'backup', id });

/** Writes an encrypted file, whole or not at all. */
export const writeSealed = (key: BoxKey, { folder, path, name }: SealedPlace, stream: AsyncIterable<Uint8Array>) =>
  folder.write(path, encryptBlob(key, nameOf(name), stream));

/** Reads an encrypted file; fails when a byte of it was changed or its end is missing. */
export async function* readSealed(key: BoxKey, { folder, path, name }: SealedPlace): AsyncGenerator<Buffer> {
  const file = await folder.open(path);
  const header = parseHeader(await file.head(headerBytes));
  if (header.form !== 'encrypted') throw new Error(`${path} in ${folder.name} is not a file of a backup`);
  const frames = { key, salt: header.salt, name: nameOf(name), first: 0, until: Number.MAX_SAFE_INTEGER };
  yield* decryptFrames(frames, file.stream({ start: headerBytes }));
}
