import { z } from 'zod';
import type { S3Bucket } from '../drivers/s3/driver.ts';
import { baseAddress, type Values } from '../lib/environment-fields.ts';

const place = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9._-]+)*)\/?$/;

const storeAddress = (name: string) =>
  baseAddress
    .refine((address) => new URL(address).pathname === '/' && !new URL(address).username, {
      error: `${name} must be an address without a path or a password, such as https://s3.example.com`,
    })
    .optional();

/** Where files and indexes are stored: on the disk of the data directory, or in a bucket. */
export const blobVariables = {
  ATRIUM_BLOBS: z
    .string()
    .regex(place, 'ATRIUM_BLOBS must be s3://bucket or s3://bucket/prefix')
    .optional()
    .describe(
      'Bucket of an S3 store for files: s3://bucket/prefix; in the data directory when absent. The store has to know conditional writes (If-None-Match) and ranges',
    ),
  ATRIUM_INDEXES: z
    .string()
    .regex(place, 'ATRIUM_INDEXES must be s3://bucket or s3://bucket/prefix')
    .optional()
    .describe(
      'Bucket of the same S3 store for the indexes of knowledge bases: s3://bucket/prefix, which may be that of ATRIUM_BLOBS; in the data directory when absent',
    ),
  ATRIUM_S3_ENDPOINT: storeAddress('ATRIUM_S3_ENDPOINT').describe(
    'Address of the S3 store; that of AWS in the region when absent',
  ),
  ATRIUM_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default('us-east-1')
    .describe('Region of the bucket, as the store calls it'),
  ATRIUM_S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('Id of the access key to the bucket'),
  ATRIUM_S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('Secret of the access key to the bucket'),
  ATRIUM_BACKUP_S3_ENDPOINT: storeAddress('ATRIUM_BACKUP_S3_ENDPOINT').describe(
    'Address of the S3 store that `npm run backup -- s3://…` writes to; that of ATRIUM_S3_ENDPOINT when absent',
  ),
  ATRIUM_BACKUP_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .optional()
    .describe('Region of the bucket for backups; that of ATRIUM_S3_REGION when absent'),
  ATRIUM_BACKUP_S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Id of the access key to the bucket for backups; that of ATRIUM_S3_ACCESS_KEY_ID when absent'),
  ATRIUM_BACKUP_S3_SECRET_ACCESS_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('Secret of that key; that of ATRIUM_S3_SECRET_ACCESS_KEY when absent'),
};

type BlobValues = Values<typeof blobVariables>;

function bucketAt(address: string, setting: string, e: BlobValues): S3Bucket {
  const { ATRIUM_S3_ACCESS_KEY_ID: access_key_id, ATRIUM_S3_SECRET_ACCESS_KEY: secret_access_key } = e;
  const [, bucket = '', path = ''] = place.exec(address) ?? [];
  if (access_key_id === undefined || secret_access_key === undefined)
    throw new Error(`${setting} needs ATRIUM_S3_ACCESS_KEY_ID and ATRIUM_S3_SECRET_ACCESS_KEY`);
  return {
    endpoint: e.ATRIUM_S3_ENDPOINT ?? `https://s3.${e.ATRIUM_S3_REGION}.amazonaws.com`,
    ...{ region: e.ATRIUM_S3_REGION, bucket, prefix: path ? `${path.slice(1)}/` : '' },
    ...{ access_key_id, secret_access_key },
  };
}

/** The bucket for files; undefined when they are on the disk. */
export const blobsFrom = (e: BlobValues) =>
  e.ATRIUM_BLOBS === undefined ? undefined : bucketAt(e.ATRIUM_BLOBS, 'ATRIUM_BLOBS', e);

/** The bucket for the indexes of knowledge bases; undefined when they are on the disk. */
export function indexesFrom(e: BlobValues, given: Readonly<Record<string, string>>): S3Bucket | undefined {
  if (e.ATRIUM_INDEXES === undefined) return undefined;
  // The engine of the index takes it from the environment, and nothing tells it not to.
  if (given['AWS_SESSION_TOKEN'] !== undefined)
    throw new Error('ATRIUM_INDEXES can not be used with AWS_SESSION_TOKEN in the environment; unset it');
  return bucketAt(e.ATRIUM_INDEXES, 'ATRIUM_INDEXES', e);
}

/** The bucket of backups, when the target of a backup is one. */
export function backupBucketFrom(e: BlobValues, target: string): S3Bucket | undefined {
  if (!target.startsWith('s3:')) return undefined;
  if (!place.test(target)) throw new Error('A bucket for backups is named s3://bucket or s3://bucket/prefix');
  return bucketAt(target, 'A bucket for backups', {
    ...e,
    ATRIUM_S3_ENDPOINT: e.ATRIUM_BACKUP_S3_ENDPOINT ?? e.ATRIUM_S3_ENDPOINT,
    ATRIUM_S3_REGION: e.ATRIUM_BACKUP_S3_REGION ?? e.ATRIUM_S3_REGION,
    ATRIUM_S3_ACCESS_KEY_ID: e.ATRIUM_BACKUP_S3_ACCESS_KEY_ID ?? e.ATRIUM_S3_ACCESS_KEY_ID,
    ATRIUM_S3_SECRET_ACCESS_KEY: e.ATRIUM_BACKUP_S3_SECRET_ACCESS_KEY ?? e.ATRIUM_S3_SECRET_ACCESS_KEY,
  });
}
