import { createCipheriv, createDecipheriv } from 'node:crypto';

/** Follows the number in a block, so that an id that was made up is told from ours. */
const mark = Buffer.from('event-id');

/**
 * Ids of the events of one workspace: their numbers, encrypted as one block. Clients learn neither how many events there
 * were nor how many lie between two. Every node gives an event the same id.
 */
export interface EventIds {
  idOf(seq: number): string;
  /** Undefined for an id that is none of ours. */
  seqOf(id: string): number | undefined;
}

export function makeEventIds(key: Buffer): EventIds {
  return {
    idOf(seq) {
      const block = Buffer.alloc(16);
      block.writeBigUInt64BE(BigInt(seq));
      mark.copy(block, 8);
      const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
      return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url');
    },
    seqOf(id) {
      const sealed = /^[\w-]{22}$/.test(id) ? Buffer.from(id, 'base64url') : undefined;
      if (sealed?.length !== 16) return undefined;
      const decipher = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false);
      const block = Buffer.concat([decipher.update(sealed), decipher.final()]);
      return block.subarray(8).equals(mark) ? Number(block.readBigUInt64BE()) : undefined;
    },
  };
}
