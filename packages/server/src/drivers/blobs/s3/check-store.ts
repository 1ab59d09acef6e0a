import { randomUUID } from 'node:crypto';
import { listUploads } from './list-objects.ts';
import type { OwnerObject } from './owner-object.ts';
import type { S3Client } from './s3-client.ts';
import { isMissing, S3Failed } from './s3-failed.ts';

export const refuse = (why: string) => new Error(`The store of ATRIUM_BLOBS can't be used: ${why}`);

const hints: Record<string, string> = {
  SignatureDoesNotMatch: 'check ATRIUM_S3_SECRET_ACCESS_KEY and ATRIUM_S3_REGION',
  InvalidAccessKeyId: 'check ATRIUM_S3_ACCESS_KEY_ID',
  NoSuchBucket: 'create the bucket, or check its name',
  AccessDenied: 'the key must be allowed to read, write, delete and list',
  RequestTimeTooSkewed: 'set the clock of this machine',
  PermanentRedirect: 'the bucket is in another region: set ATRIUM_S3_REGION',
  AuthorizationHeaderMalformed: 'the bucket is in another region: set ATRIUM_S3_REGION',
};

/** The error that an operator reads at the start. */
export function explain(error: unknown): unknown {
  if (!(error instanceof S3Failed)) return error;
  const { status, reason } = error;
  const answered = status === undefined ? `it does not answer (${reason})` : `it answers ${status} ${reason}`.trim();
  return refuse(`${answered}; ${hints[reason] ?? 'check ATRIUM_S3_ENDPOINT'}`);
}

async function checkRanges(client: S3Client, key: string, text: string): Promise<void> {
  for (const [start, end] of [
    [0, 0],
    [1, 4],
  ] as const) {
    const headers = { range: `bytes=${start}-${end}` };
    const part = await client.call({ operation: 'read range', method: 'GET', key, headers });
    if (part.status !== 206 || part.text !== text.slice(start, end + 1))
      throw refuse(`it does not answer the range ${headers.range} with these bytes`);
  }
}

/** Deleting must be allowed too: erased files may not stay. */
async function checkDeletion(client: S3Client): Promise<void> {
  const key = `${client.prefix}probe-${randomUUID()}`;
  await client.call({ operation: 'probe', method: 'PUT', key, body: Buffer.from('probe') });
  await client.call({ operation: 'probe', method: 'DELETE', key });
  try {
    await client.call({ operation: 'probe', method: 'GET', key });
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  throw refuse('it keeps objects that are deleted');
}

/** Checks that a store does what blobs need, once the owner object is there with this text. */
export async function checkStore(client: S3Client, owner: OwnerObject, text: string): Promise<void> {
  // The same text: a store that ignores the condition overwrites it with itself.
  if (await owner.create(text))
    throw refuse('it ignores If-None-Match, so that two installations could take one prefix');
  await checkRanges(client, owner.key, text);
  await checkDeletion(client);
  for await (const _ of listUploads(client, `${client.prefix}blobs/`)) break;
}
