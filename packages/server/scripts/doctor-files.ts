import type { Config } from '../src/config.ts';
import { describeBucket } from '../src/drivers/blobs/s3/claim-bucket.ts';
import { makeLog } from '../src/lib/log.ts';

/** Where files are, and whether the bucket answers. Writes nothing; no secret is shown. */
export async function fileFindings({ blobs, data_dir }: Pick<Config, 'blobs' | 'data_dir'>): Promise<string[]> {
  if (!blobs) return [`in the data directory ${data_dir}`];
  try {
    const state = await describeBucket(blobs, { log: makeLog('silent'), attempts: 2, timeout_ms: 5000 });
    const states = {
      free: 'it is empty, and the next start takes it',
      owned: 'it answers and has an owner; the next start checks whether that is this database',
      foreign: 'it has objects and no owner: name another prefix',
    };
    return [`in the bucket ${blobs.bucket}: ${states[state]}`];
  } catch (error) {
    return [`in the bucket ${blobs.bucket}: ${error instanceof Error ? error.message : String(error)}`];
  }
}
