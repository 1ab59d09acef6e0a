import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type BoxKey, boxKey, newBoxKey, open, seal, sealedWith } from '../../lib/sealed-box.ts';

/** Seals for one workspace without another look at the database. */
export type Sealer = (purpose: string, plain: string) => string;

export interface Keyring {
  sealer(workspace_id: string): Promise<Sealer>;
  seal(workspace_id: string, purpose: string, plain: string): Promise<string>;
  open(workspace_id: string, purpose: string, box: string): Promise<string>;
  forget(workspace_id: string): void;
}

const wrapContext = (workspace_id: string) => `data key\0${workspace_id}`;
const context = (workspace_id: string, purpose: string) => `${workspace_id}\0${purpose}`;

/**
 * Every workspace has a data key of its own, sealed under the master key: deleting the workspace deletes the only key
 * to what was sealed in it, and changing the master key means sealing the small data keys anew, not the data.
 */
export function makeKeyring(db: Database, master: BoxKey): Keyring {
  const known = new Map<string, Promise<Map<string, BoxKey>>>();

  async function load(workspace_id: string): Promise<Map<string, BoxKey>> {
    const read = () =>
      db.rows<{ wrapped: string; current: boolean }>(sql`
        select wrapped, retired_at is null as current from data_keys
        where workspace_id = ${workspace_id} order by current, created_at`);
    let rows = await read();
    if (!rows.at(-1)?.current) {
      const key = newBoxKey();
      const wrapped = seal(master, wrapContext(workspace_id), key.secret);
      await db.run(sql`
        insert into data_keys (workspace_id, id, wrapped) values (${workspace_id}, ${key.id}, ${wrapped})
        on conflict (workspace_id) where retired_at is null do nothing`);
      rows = await read();
    }
    const keys = rows.map(({ wrapped }) => boxKey(open(master, wrapContext(workspace_id), wrapped)));
    return new Map(keys.map((key) => [key.id, key]));
  }

  function keysOf(workspace_id: string): Promise<Map<string, BoxKey>> {
    const cached = known.get(workspace_id);
    if (cached) return cached;
    const loading = load(workspace_id);
    known.set(workspace_id, loading);
    loading.catch(() => known.delete(workspace_id));
    return loading;
  }

  async function sealer(workspace_id: string): Promise<Sealer> {
    const current = [...(await keysOf(workspace_id)).values()].at(-1) as BoxKey;
    return (purpose, plain) => seal(current, context(workspace_id, purpose), plain);
  }

  return {
    sealer,
    seal: async (workspace_id, purpose, plain) => (await sealer(workspace_id))(purpose, plain),
    async open(workspace_id, purpose, box) {
      const id = sealedWith(box) ?? '';
      let key = (await keysOf(workspace_id)).get(id);
      if (!key) {
        // Another node may have made a newer key since this one looked.
        known.delete(workspace_id);
        key = (await keysOf(workspace_id)).get(id);
      }
      if (!key) throw new Error('The sealed box was made with a key that this workspace does not have');
      return open(key, context(workspace_id, purpose), box).toString();
    },
    forget: (workspace_id) => void known.delete(workspace_id),
  };
}

/** Stops the start when the master key is not the one this database was made with, before anything is sealed with it. */
export async function checkMasterKey(db: Db, master: BoxKey): Promise<void> {
  const check = seal(master, 'master key check', 'atrium');
  await db.run(sql`insert into instance (name, value) values ('master_key_check', ${check}) on conflict do nothing`);
  const row = await db.row<{ value: string }>(sql`select value from instance where name = 'master_key_check'`);
  try {
    open(master, 'master key check', row?.value ?? '');
  } catch {
    throw new Error(
      'The master key is not the one this database was made with, so its secrets could not be read. Set ' +
        'ATRIUM_SECRET_KEY to the right key, or put the right master.key file back into the data directory.',
    );
  }
}
