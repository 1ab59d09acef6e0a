import { createHmac, hkdfSync } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { required } from '../../lib/required.ts';
import { BoxError, type BoxKey, boxKey, newBoxKey, open, seal, sealingKeyId } from '../../lib/secrets/sealed-box.ts';
import { type KeyTable, tenantKeys, workspaceKeys } from './key-store.ts';
import type { MasterKeys } from './master-keys.ts';

/** Seals for one owner without another look at the database. */
export type Sealer = (purpose: string, plain: string) => string;

/** Seals and opens for owners: workspaces, or tenants for what belongs to none of their workspaces. */
export interface Keyring {
  sealer(owner_id: string): Promise<Sealer>;
  seal(owner_id: string, purpose: string, plain: string): Promise<string>;
  open(owner_id: string, purpose: string, box: string): Promise<string>;
  /**
   * A short name for a text, which stays the same as long as the key does; without the key it cannot be computed or
   * guessed.
   */
  pseudonym(owner_id: string, purpose: string, text: string): Promise<string>;
  /** The name of the key that an owner's next box is sealed with. */
  currentId(owner_id: string): Promise<string>;
  /** Without an owner: all of them, since keys may have changed. */
  forget(owner_id?: string): void;
}

const context = (owner_id: string, purpose: string) => `${owner_id}\0${purpose}`;

/** The longest time that a node seals with a retired key when it misses the notification. */
const lookAgainMs = 60_000;

/**
 * Every workspace has a data key of its own, sealed under the master key: deleting the workspace deletes the only key
 * to what was sealed in it, and changing the master key means sealing the small data keys anew, not the data.
 */
export const makeKeyring = (db: Database, masters: MasterKeys) => keyringOver(db, masters, workspaceKeys);

/**
 * The keyring of data that belongs to a tenant and not to one of its workspaces: deleting a workspace deletes its data
 * key, and the model providers of the tenant must survive that.
 */
export const makeTenantKeyring = (db: Database, masters: MasterKeys) => keyringOver(db, masters, tenantKeys);

function keyringOver(db: Database, masters: MasterKeys, table: KeyTable): Keyring {
  const known = new Map<string, { keys: Promise<Map<string, BoxKey>>; at: number }>();

  async function load(owner_id: string): Promise<Map<string, BoxKey>> {
    let rows = await table.of(db, owner_id);
    if (!rows.at(-1)?.current) {
      // The key must not be sealed with a master key that is being replaced, even when the notification was missed.
      await masters.reload();
      const key = newBoxKey();
      const wrapped = seal(masters.current(), table.wrapContext(owner_id), key.secret);
      await table.insert(db, owner_id, key.id, wrapped);
      rows = await table.of(db, owner_id);
    }
    const keys = new Map<string, BoxKey>();
    for (const { wrapped } of rows) {
      const key = boxKey(await masters.unwrap(table.wrapContext(owner_id), wrapped));
      keys.set(key.id, key);
    }
    return keys;
  }

  function keysOf(owner_id: string): Promise<Map<string, BoxKey>> {
    const cached = known.get(owner_id);
    if (cached && Date.now() - cached.at < lookAgainMs) return cached.keys;
    const keys = load(owner_id);
    known.set(owner_id, { keys, at: Date.now() });
    keys.catch(() => known.delete(owner_id));
    return keys;
  }

  const currentOf = async (owner_id: string) => required([...(await keysOf(owner_id)).values()].at(-1));

  async function sealer(owner_id: string): Promise<Sealer> {
    const current = await currentOf(owner_id);
    return (purpose, plain) => seal(current, context(owner_id, purpose), plain);
  }

  return {
    sealer,
    seal: async (owner_id, purpose, plain) => (await sealer(owner_id))(purpose, plain),
    async open(owner_id, purpose, box) {
      const id = sealingKeyId(box) ?? '';
      let key = (await keysOf(owner_id)).get(id);
      if (!key) {
        // Another node may have made a newer key since this one looked.
        known.delete(owner_id);
        key = (await keysOf(owner_id)).get(id);
      }
      if (!key) throw new BoxError('The sealed box was made with a key that this workspace does not have');
      return open(key, context(owner_id, purpose), box).toString();
    },
    async pseudonym(owner_id, purpose, text) {
      const { secret } = await currentOf(owner_id);
      // A key of its own for each purpose: that of the boxes does nothing else.
      const own = hkdfSync('sha256', secret, '', context(owner_id, `pseudonyms of ${purpose}`), 32);
      return createHmac('sha256', Buffer.from(own)).update(text).digest('base64url').slice(0, 22);
    },
    currentId: async (owner_id) => (await currentOf(owner_id)).id,
    forget: (owner_id) => void (owner_id === undefined ? known.clear() : known.delete(owner_id)),
  };
}
