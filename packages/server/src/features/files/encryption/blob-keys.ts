import { notFound } from '@atrium/contract/errors.ts';
import type { Database } from '../../../db/database.ts';
import type { BlobKeys } from '../../../drivers/blobs/driver.ts';
import { errorCode } from '../../../lib/error-code.ts';
import { required } from '../../../lib/required.ts';
import { BoxError, type BoxKey, boxKey, newBoxKey } from '../../../lib/secrets/sealed-box.ts';
import type { Keyring } from '../../keyring/service.ts';
import { type BlobKeyTable, tenantBlobKeys, workspaceBlobKeys } from './blob-key-store.ts';

export const blobKeyPurpose = (id: string) => `blob key\0${id}`;

interface LoadedKeys {
  by_id: Map<string, BoxKey>;
  /** By the data key that was current when each was made. */
  by_data_key: Map<string, BoxKey>;
}

/**
 * Keys of blobs, each sealed with its owner's data key. Rotation seals these few rows anew and touches no blob; blobs
 * that are written afterwards have a new key, since one belongs to each data key.
 */
export function makeBlobKeys(deps: {
  db: Database;
  keyrings: { workspace: Keyring; tenant: Keyring };
  /** The organization, whose blobs belong to none of its workspaces. */
  tenant_id: string;
}): BlobKeys {
  const { db, keyrings, tenant_id } = deps;
  const known = new Map<string, LoadedKeys>();
  const partsOf = (owner_id: string): { keyring: Keyring; table: BlobKeyTable } =>
    owner_id === tenant_id
      ? { keyring: keyrings.tenant, table: tenantBlobKeys }
      : { keyring: keyrings.workspace, table: workspaceBlobKeys };

  async function load(owner_id: string): Promise<LoadedKeys> {
    const { keyring, table } = partsOf(owner_id);
    const loaded: LoadedKeys = { by_id: new Map(), by_data_key: new Map() };
    for (const { id, made_under, sealed } of await table.of(db, owner_id)) {
      const opened = await keyring.open(owner_id, blobKeyPurpose(id), sealed).catch((error: unknown) => {
        if (!(error instanceof BoxError)) throw error;
      });
      // The blobs of the other keys stay readable.
      if (opened === undefined) continue;
      const secret = Buffer.from(opened, 'base64');
      loaded.by_id.set(id, boxKey(secret));
      loaded.by_data_key.set(made_under, boxKey(secret));
    }
    known.set(owner_id, loaded);
    return loaded;
  }

  async function currentKey(owner_id: string): Promise<BoxKey> {
    const { keyring, table } = partsOf(owner_id);
    const made_under = await keyring.currentId(owner_id);
    const found = known.get(owner_id)?.by_data_key.get(made_under);
    if (found) return found;
    const key = newBoxKey();
    const sealed = await keyring.seal(owner_id, blobKeyPurpose(key.id), key.secret.toString('base64'));
    await table.insert(db, owner_id, { id: key.id, made_under, sealed });
    return required((await load(owner_id)).by_data_key.get(made_under));
  }

  return {
    current: (owner_id) =>
      currentKey(owner_id).catch((error: unknown) => {
        // The foreign key fails because the workspace is deleted or belongs to another database.
        throw errorCode(error) === '23503' ? notFound('workspace') : error;
      }),
    find: async (owner_id, key_id) =>
      known.get(owner_id)?.by_id.get(key_id) ?? (await load(owner_id)).by_id.get(key_id),
  };
}
