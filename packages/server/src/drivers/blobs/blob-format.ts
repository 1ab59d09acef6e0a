import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { BoxKey } from '../../lib/secrets/sealed-box.ts';
import { BlobDamaged, type BlobName } from './driver.ts';
import { inPieces } from './in-pieces.ts';

/**
 * How blobs are stored. Plain: the bytes as they are. Encrypted: mark, version 1, key id (8 bytes), salt (32 bytes), then
 * frames of 64 KiB of AES-256-GCM with their tags. Plain bytes that begin with the mark get the mark and version 0 before
 * them, so that no upload passes for an encrypted blob.
 */
const mark = Buffer.from('\x89ATRIUM', 'latin1');
export const escapePrefix = Buffer.concat([mark, Buffer.from([0])]);
const encryptedPrefix = Buffer.concat([mark, Buffer.from([1])]);
const [keyIdBytes, saltBytes, tagBytes] = [8, 32, 16];
export const markLength = mark.length;
export const headerBytes = encryptedPrefix.length + keyIdBytes + saltBytes;
export const chunkBytes = 65_536;
export const frameBytes = chunkBytes + tagBytes;

export const startsWithMark = (head: Uint8Array) => mark.equals(head.subarray(0, mark.length));

export type BlobHeader = { form: 'plain' | 'escaped' } | { form: 'encrypted'; key_id: string; salt: Buffer };

/** Reads the first bytes of a stored blob. */
export function parseHeader(head: Buffer): BlobHeader {
  if (!startsWithMark(head)) return { form: 'plain' };
  const prefix = head.subarray(0, encryptedPrefix.length);
  if (prefix.equals(escapePrefix)) return { form: 'escaped' };
  if (!prefix.equals(encryptedPrefix) || head.length < headerBytes)
    throw new BlobDamaged('The header of the blob is damaged, or was written by a newer version');
  const salt = head.subarray(prefix.length + keyIdBytes, headerBytes);
  return { form: 'encrypted', key_id: head.subarray(prefix.length, prefix.length + keyIdBytes).toString('hex'), salt };
}

/** Each blob has a key of its own, which also depends on its names: under another name it does not open. */
function deriveKey(key: BoxKey, salt: Buffer, { workspace_id, id }: BlobName): Buffer {
  return Buffer.from(hkdfSync('sha256', key.secret, salt, `atrium blob 1\0${key.id}\0${workspace_id}\0${id}`, 32));
}

/** The place of a chunk and whether it is the last one: chunks can't be swapped, and the end can't be cut off. */
function nonceOf(index: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(index, 7);
  nonce.writeUInt8(last ? 1 : 0, 11);
  return nonce;
}

/** The stored form of a stream. */
export async function* encryptBlob(key: BoxKey, name: BlobName, stream: AsyncIterable<Uint8Array>) {
  const salt = randomBytes(saltBytes);
  yield Buffer.concat([encryptedPrefix, Buffer.from(key.id, 'hex'), salt]);
  const secret = deriveKey(key, salt, name);
  let index = 0;
  for await (const { bytes, last } of inPieces(stream, chunkBytes)) {
    const cipher = createCipheriv('aes-256-gcm', secret, nonceOf(index++, last));
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }
}

function openFrame(secret: Buffer, index: number, last: boolean, frame: Buffer): Buffer | undefined {
  if (frame.length < tagBytes) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', secret, nonceOf(index, last), { authTagLength: tagBytes });
  decipher.setAuthTag(frame.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(frame.subarray(0, -tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Opens frames from one to another. Frames that end earlier must end with the last one of the blob. */
export async function* decryptFrames(
  { key, salt, name, first, until }: { key: BoxKey; salt: Buffer; name: BlobName; first: number; until: number },
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const secret = deriveKey(key, salt, name);
  let index = first;
  for await (const { bytes, last } of inPieces(stream, frameBytes)) {
    const mayGoOn = !last || (index === until && bytes.length === frameBytes);
    const plain =
      (last ? openFrame(secret, index, true, bytes) : undefined) ??
      (mayGoOn ? openFrame(secret, index, false, bytes) : undefined);
    if (!plain) throw new BlobDamaged('The encrypted blob is altered, cut off, or stored under another name');
    yield plain;
    index++;
  }
}
