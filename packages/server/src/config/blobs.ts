import { z } from 'zod';
import type { S3Bucket } from '../drivers/blobs/driver.ts';
import { baseAddress, type Values } from '../lib/environment-fields.ts';

const place = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9._-]+)*)\/?$/;

/** Where files are stored: on the disk of the data directory, or in a bucket. */
export const blobVariables = {
  ATRIUM_BLOBS: z
    .string()
    .regex(place, 'ATRIUM_BLOBS must be s3://bucket or s3://bucket/prefix')
    .optional()
    .describe(
      'Bucket of an S3 store for files: s3://bucket/prefix; in the data directory when absent. The store has to know conditional writes (If-None-Match) and ranges',
    ),
  ATRIUM_S3_ENDPOINT: baseAddress
    .refine((address) => new URL(address).pathname === '/' && !new URL(address).username, {
      error: 'ATRIUM_S3_ENDPOINT must be an address without a path or a password, such as https://s3.example.com',
    })
    .optional()
    .describe('Address of the S3 store; that of AWS in the region when absent'),
  ATRIUM_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default('us-east-1')
    .describe('Region of the bucket, as the store calls it'),
  ATRIUM_S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('Id of the access key to the bucket'),
  ATRIUM_S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('Secret of the access key to the bucket'),
};

/** The bucket for files; undefined when they are on the disk. */
export function blobsFrom(e: Values<typeof blobVariables>): S3Bucket | undefined {
  const { ATRIUM_S3_ACCESS_KEY_ID: access_key_id, ATRIUM_S3_SECRET_ACCESS_KEY: secret_access_key } = e;
  const [, bucket, path = ''] = place.exec(e.ATRIUM_BLOBS ?? '') ?? [];
  if (bucket === undefined) return undefined;
  if (access_key_id === undefined || secret_access_key === undefined)
    throw new Error('ATRIUM_BLOBS needs ATRIUM_S3_ACCESS_KEY_ID and ATRIUM_S3_SECRET_ACCESS_KEY');
  return {
    endpoint: e.ATRIUM_S3_ENDPOINT ?? `https://s3.${e.ATRIUM_S3_REGION}.amazonaws.com`,
    ...{ region: e.ATRIUM_S3_REGION, bucket, prefix: path ? `${path.slice(1)}/` : '' },
    ...{ access_key_id, secret_access_key },
  };
}
