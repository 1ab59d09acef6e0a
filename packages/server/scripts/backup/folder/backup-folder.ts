import type { OpenBlob } from '../../../src/drivers/blobs/driver.ts';

/** Where backups are: a folder on a disk, or a prefix of a bucket. Paths are below it, with slashes. */
export interface BackupFolder {
  /** For messages. */
  name: string;
  has(path: string): Promise<boolean>;
  /** Undefined when there is no such file. */
  read(path: string): Promise<Buffer | undefined>;
  /** Writes a small file that must not be there yet. */
  create(path: string, bytes: Buffer): Promise<void>;
  /** Writes a file, whole or not at all. */
  write(path: string, stream: AsyncIterable<Uint8Array>): Promise<void>;
  open(path: string): Promise<OpenBlob>;
  /** The names of the folders directly below it. */
  listFolders(): Promise<string[]>;
}
