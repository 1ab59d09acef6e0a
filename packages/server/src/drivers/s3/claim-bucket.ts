import { checkStore, explainFailure, refuse } from './check-store.ts';
import type { S3Bucket } from './driver.ts';
import { makeOwnerObject, type OwnerObject } from './owner-object.ts';
import { makeS3Client, type S3Client, type S3Options } from './s3-client.ts';

interface Claim {
  /** Which installation the prefix is for. */
  installation: string;
  /** Why an empty prefix can't be taken; undefined when it can. */
  mayCreate?(): Promise<string | undefined>;
}

const textOf = (installation: string) => JSON.stringify({ format: 1, installation });

async function withOwner<T>(
  bucket: S3Bucket,
  options: S3Options,
  work: (owner: OwnerObject, client: S3Client) => Promise<T>,
): Promise<T> {
  const client = makeS3Client(bucket, options);
  try {
    return await work(makeOwnerObject(client), client);
  } catch (error) {
    throw explainFailure(client, error);
  }
}

/**
 * Takes a prefix of a bucket for one installation and checks that the store does what files and indexes need. The sweep deletes
 * objects that the database does not know, so two databases must never share a prefix.
 */
export const claimBucket = (bucket: S3Bucket, options: S3Options, { installation, mayCreate }: Claim) =>
  withOwner(bucket, options, async (owner, client) => {
    const text = textOf(installation);
    let found = await owner.read();
    if (found === undefined) {
      const isFree = await owner.isAlone();
      // Another process of this installation may have made it since.
      found = await owner.read();
      if (found === undefined) {
        const objection = isFree ? await mayCreate?.() : 'it has objects, and no owner; name another prefix';
        if (objection) throw refuse(client, objection);
        await owner.create(text);
        found = await owner.read();
      }
    }
    if (found !== text)
      throw refuse(
        client,
        'its files are those of another database. Name another prefix; or, if this database took the place of that one, run `npm run move-files -- take-over`',
      );
    await checkStore(client);
  });

/** What a prefix has; nothing is written. */
export const describeBucket = (bucket: S3Bucket, options: S3Options) =>
  withOwner(bucket, options, async (owner) => {
    if ((await owner.read()) !== undefined) return 'owned';
    return (await owner.isAlone()) ? 'free' : 'foreign';
  });

/** Fails unless the prefix is empty and the store does what files need. */
export const requireFreeBucket = (bucket: S3Bucket, options: S3Options) =>
  withOwner(bucket, options, async (owner, client) => {
    if ((await owner.read()) !== undefined || !(await owner.isAlone()))
      throw refuse(client, 'the prefix is not empty; name a new one');
    await checkStore(client);
  });

/** Fails when the prefix has the files of an installation, beside which nothing else may be stored. */
export const requireUnowned = (bucket: S3Bucket, options: S3Options) =>
  withOwner(bucket, options, async (owner, client) => {
    if ((await owner.read()) !== undefined)
      throw refuse(client, 'the prefix has files of the program; name another one');
  });

/** Gives a prefix to an installation, whatever is there. */
export const takeBucket = (bucket: S3Bucket, options: S3Options, installation: string) =>
  withOwner(bucket, options, async (owner, client) => {
    await owner.replace(textOf(installation));
    await checkStore(client);
  });
