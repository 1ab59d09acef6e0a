import type { Readable } from 'node:stream';

/** Size and hash of the stored bytes. */
interface StoredBlob {
  size: number;
  /** In hex. */
  sha256: string;
}

/** The first and the last byte that are wanted, counted from 0. */
export interface BlobRange {
  start: number;
  end: number;
}

export interface BlobName {
  workspace_id: string;
  id: string;
}

/** Bytes by workspace and id. A blob is written once, is there whole or not at all, and never changes. */
export interface BlobStore {
  /** Keeps a stream; resolves when it would survive a power cut. Beyond the limit, or broken off, nothing is kept. */
  put(workspace_id: string, id: string, stream: AsyncIterable<Uint8Array>, limit: number): Promise<StoredBlob>;
  /** Rejects with BlobMissing before the first byte when there is no such blob. */
  get(workspace_id: string, id: string, range?: BlobRange): Promise<Readable>;
  /** One that is already gone is fine. */
  delete(workspace_id: string, id: string): Promise<void>;
  deleteWorkspace(workspace_id: string): Promise<void>;
  /** Every blob that was written before a moment; for finding those that nothing refers to. */
  list(before: Date): AsyncIterable<BlobName>;
  /** Removes what a put left behind whose process died, untouched since a moment; answers how many there were. */
  removePartial(before: Date): Promise<number>;
}

export class BlobMissing extends Error {
  constructor() {
    super('There is no such blob');
  }
}
