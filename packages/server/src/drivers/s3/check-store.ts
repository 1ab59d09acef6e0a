import { randomUUID } from 'node:crypto';
import { copyObject } from './copy-object.ts';
import { listUploads } from './list-objects.ts';
import type { S3Client } from './s3-client.ts';
import { isMissing, isRefusedByCondition, S3Failed } from './s3-failed.ts';

/** What begins the names of objects that a check writes and deletes. */
export const probePrefix = 'probe-';

export const refuse = ({ setting }: Pick<S3Client, 'setting'>, why: string) =>
  new Error(`The store of ${setting} can't be used: ${why}`);

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
export function explainFailure(client: S3Client, error: unknown): unknown {
  if (!(error instanceof S3Failed)) return error;
  const { status, reason } = error;
  const answered = status === undefined ? `it does not answer (${reason})` : `it answers ${status} ${reason}`.trim();
  return refuse(client, `${answered}; ${hints[reason] ?? 'check ATRIUM_S3_ENDPOINT'}`);
}

async function checkRanges(client: S3Client, key: string, text: string): Promise<void> {
  for (const [start, end] of [
    [0, 0],
    [1, 4],
  ] as const) {
    const headers = { range: `bytes=${start}-${end}` };
    const part = await client.call({ operation: 'read range', method: 'GET', key, headers });
    if (part.status !== 206 || part.text !== text.slice(start, end + 1))
      throw refuse(client, `it does not answer the range ${headers.range} with these bytes`);
  }
}

/** A conditional write must not replace an object. */
async function checkConditions(client: S3Client, key: string, text: string): Promise<void> {
  const request = { operation: 'probe', method: 'PUT', key, body: Buffer.from(text) } as const;
  await client.call(request);
  try {
    await client.call({ ...request, headers: { 'if-none-match': '*' } });
  } catch (error) {
    if (isRefusedByCondition(error)) return;
    throw error;
  }
  throw refuse(client, 'it ignores If-None-Match, so that two writers could take one name');
}

/** Deleting must be allowed too: erased files may not stay. */
async function checkDeletion(client: S3Client, key: string): Promise<void> {
  await client.call({ operation: 'probe', method: 'DELETE', key });
  try {
    await client.call({ operation: 'probe', method: 'GET', key });
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  throw refuse(client, 'it keeps objects that are deleted');
}

async function checkCopies(client: S3Client, key: string, text: string): Promise<void> {
  const copy = `${key}-copy`;
  await copyObject(client, key, copy, text.length);
  const stored = await client.call({ operation: 'probe', method: 'GET', key: copy });
  if (stored.text !== text) throw refuse(client, 'it does not copy objects');
  await checkDeletion(client, copy);
}

/** Checks that a store does what files and indexes need, by an object that it deletes afterwards. */
export async function checkStore(client: S3Client): Promise<void> {
  const [key, text] = [`${client.prefix}${probePrefix}${randomUUID()}`, 'what a probe has'];
  try {
    await checkConditions(client, key, text);
    await checkRanges(client, key, text);
    await checkCopies(client, key, text);
  } finally {
    await checkDeletion(client, key);
  }
  for await (const _ of listUploads(client, client.prefix)) break;
}
