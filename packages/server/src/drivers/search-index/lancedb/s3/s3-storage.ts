import { copyObject } from '../../../s3/copy-object.ts';
import { abortUploads, deleteObject, deleteObjects } from '../../../s3/delete-objects.ts';
import type { S3Bucket } from '../../../s3/driver.ts';
import { listFolders, listObjects } from '../../../s3/list-objects.ts';
import { readObject } from '../../../s3/read-object.ts';
import { makeS3Client, type S3Options } from '../../../s3/s3-client.ts';
import { isMissing, S3Failed } from '../../../s3/s3-failed.ts';
import { type IndexStorage, specFile } from '../index-storage.ts';
import { engineOptions } from './engine-options.ts';
import { explainEngineError, unreachable } from './explain-engine-error.ts';

const versions = '/_versions/';
/** How many objects are copied at once. */
const copies = 8;

/** Objects `<prefix>indexes/<workspace_id>/<kb_id>/<name>/…` of a bucket. */
export function makeS3Storage(bucket: S3Bucket, { log, ...options }: S3Options): IndexStorage {
  const client = makeS3Client(bucket, { log, setting: 'ATRIUM_INDEXES', ...options });
  const root = `${client.prefix}indexes/`;
  const folderOf = (path: string) => `${root}${path}/`;
  const fileOf = (path: string, name: string) => `${folderOf(path)}${name}`;

  /** Errors of our own client name files; here they are about an index. */
  async function reach<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw error instanceof S3Failed && !isMissing(error) ? unreachable(error.status, error.reason) : error;
    }
  }

  /** Copies what is still there; an object that the writer has removed belongs to a version that is not the newest. */
  async function copyAll(objects: readonly { key: string; size: number }[], from: string, to: string): Promise<void> {
    for (let first = 0; first < objects.length; first += copies)
      await Promise.all(
        objects.slice(first, first + copies).map(async ({ key, size }) => {
          try {
            await copyObject(client, key, `${to}${key.slice(from.length)}`, size);
          } catch (error) {
            if (!isMissing(error)) throw error;
          }
        }),
      );
  }

  async function listed(prefix: string): Promise<{ key: string; size: number }[]> {
    const objects: { key: string; size: number }[] = [];
    for await (const { key, size } of listObjects(client, prefix)) objects.push({ key, size });
    return objects;
  }

  return {
    mayRepeat: true,

    connect: (lance, path) =>
      lance.connect(`s3://${bucket.bucket}/${root}${path}`, {
        // Another process may write what this one reads.
        readConsistencyInterval: 0,
        storageOptions: engineOptions(bucket),
      }),

    prepare: async () => {},
    makeAfterWrite: () => async () => {},

    readFile: (path, name, known) => reach(readObject(client, fileOf(path, name), known)),

    async writeFile(path, name, bytes) {
      const request = { operation: 'write', method: 'PUT', key: fileOf(path, name), body: Buffer.from(bytes) } as const;
      await reach(client.call(request));
    },

    removeFile: (path, name) => reach(deleteObject(client, fileOf(path, name))),

    listNames: (folder) => reach(listFolders(client, folderOf(folder))),

    async copy(from, to) {
      const [source, target] = [folderOf(from), folderOf(to)];
      const isVersion = ({ key }: { key: string }) => key.includes(versions);
      const isSpec = ({ key }: { key: string }) => key === fileOf(from, specFile);
      // A version is listed before the files that it names, and put in place after them.
      const manifests = (await reach(listed(source))).filter(isVersion);
      const all = await reach(listed(source));
      const others = all.filter((object) => !isVersion(object) && !isSpec(object));
      for (const part of [others, manifests, all.filter(isSpec)]) await reach(copyAll(part, source, target));
    },

    async remove(path) {
      await reach(deleteObject(client, fileOf(path, specFile)));
      await reach(deleteObjects(client, folderOf(path)));
    },

    async explain(path, error) {
      if (error instanceof S3Failed) return error;
      const explained = explainEngineError(error);
      if (explained instanceof S3Failed) {
        log.warn('s3.failed', { operation: 'index', status: explained.status, reason: explained.reason });
        return explained;
      }
      // The store must answer before anything counts as lost.
      return reach(readObject(client, fileOf(path, specFile))).then(
        () => explained,
        (failure) => failure,
      );
    },

    removePartial: (before) => abortUploads(client, root, before),
  };
}
