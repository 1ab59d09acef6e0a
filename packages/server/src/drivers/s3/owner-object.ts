import { probePrefix } from './check-store.ts';
import { listObjects } from './list-objects.ts';
import type { S3Client } from './s3-client.ts';
import { isMissing, isRefusedByCondition } from './s3-failed.ts';

/** The object of a prefix that names the installation whose files these are. */
export function makeOwnerObject(client: S3Client) {
  const key = `${client.prefix}owner.json`;

  return {
    key,

    async read(): Promise<string | undefined> {
      try {
        return (await client.call({ operation: 'read owner', method: 'GET', key })).text;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },

    /** True when it was written; false when there was one already. */
    async create(text: string): Promise<boolean> {
      const [headers, body] = [{ 'if-none-match': '*' }, Buffer.from(text)];
      try {
        await client.call({ operation: 'claim', method: 'PUT', key, headers, body });
        return true;
      } catch (error) {
        if (isRefusedByCondition(error)) return false;
        throw error;
      }
    },

    async replace(text: string): Promise<void> {
      await client.call({ operation: 'claim', method: 'PUT', key, body: Buffer.from(text) });
    },

    /** Whether the prefix has no object besides it. What another process checks the store with does not count. */
    async isAlone(): Promise<boolean> {
      const probes = `${client.prefix}${probePrefix}`;
      for await (const listed of listObjects(client, client.prefix))
        if (listed.key !== key && !listed.key.startsWith(probes)) return false;
      return true;
    },
  };
}

export type OwnerObject = ReturnType<typeof makeOwnerObject>;
