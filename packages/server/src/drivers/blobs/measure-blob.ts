import { createHash } from 'node:crypto';
import { AppError } from '@atrium/contract/errors.ts';
import type { StoredBlob } from './driver.ts';

/** Passes a stream on; computes its size and hash, and fails beyond the limit. */
export function measureBlob(stream: AsyncIterable<Uint8Array>, limit: number) {
  const hash = createHash('sha256');
  let size = 0;
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > limit) throw new AppError('too_large', `A file may have at most ${limit} bytes`);
      hash.update(chunk);
      yield chunk;
    }
  }
  return { stream: measured(), result: (): StoredBlob => ({ size, sha256: hash.digest('hex') }) };
}
