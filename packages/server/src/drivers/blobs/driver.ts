import type { Readable } from 'node:stream';
import type { BoxKey } from '../../lib/secrets/sealed-box.ts';

/** Size and hash of the stored bytes. */
export interface StoredBlob {
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

/** Bytes by workspace and id. A blob is written once, is there whole or not at all, and its content never changes. */
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

/** One stored version of a blob: reading goes on from it while another version takes its place. */
export interface OpenBlob {
  /** Bytes as they are stored. */
  size: number;
  /** The first bytes; fewer when the blob is shorter. */
  head(length: number): Promise<Buffer>;
  /** Closes the blob at its end and when it is destroyed. */
  stream(range?: { start: number; end?: number }): Readable;
  close(): Promise<void>;
}

/** A store whose blobs can be stored in another form. */
export interface RawBlobStore extends BlobStore {
  /** Rejects with BlobMissing when there is no such blob. */
  open(workspace_id: string, id: string): Promise<OpenBlob>;
  /** Stores bytes without measuring them. */
  write(workspace_id: string, id: string, stream: AsyncIterable<Uint8Array>): Promise<void>;
  /** Replaces the bytes of a blob at once and whole; false, and nothing is stored, when the blob is gone meanwhile. */
  replace(workspace_id: string, id: string, stream: AsyncIterable<Uint8Array>): Promise<boolean>;
}

/** Keys that blobs are encrypted with, by owner: a workspace or the organization. */
export interface BlobKeys {
  /** The key for new blobs. Throws `not_found` when there is no such owner. */
  current(owner_id: string): Promise<BoxKey>;
  /** Undefined when the owner has no such key. */
  find(owner_id: string, key_id: string): Promise<BoxKey | undefined>;
}

/** A store that reads plain and encrypted blobs, and writes one of the two. */
export interface EncryptedBlobStore extends BlobStore {
  /** Stores a blob in the form that new blobs have; false when it has that form or is gone. */
  convert(workspace_id: string, id: string): Promise<boolean>;
}

/** An encrypted blob that is altered, cut, of another id or workspace, or whose key is missing. */
export class BlobDamaged extends Error {}

export class BlobMissing extends Error {
  constructor() {
    super('There is no such blob');
  }
}
