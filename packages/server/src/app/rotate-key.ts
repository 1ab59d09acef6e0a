import type { PoolConfig } from 'pg';
import type { Config } from '../config.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openNotifier } from '../db/notifier.ts';
import {
  loadMasterKey,
  loadMasterKeys,
  masterKeyFrom,
  nextKeyFile,
  promoteNextMasterKey,
} from '../features/keyring/load-master-key.ts';
import { openMasterKeys } from '../features/keyring/master-keys.ts';
import { keyringTopic, type Rotation, rotateKeys } from '../features/keyring/rotate-keys.ts';
import { makeKeyring, makeTenantKeyring } from '../features/keyring/service.ts';
import type { Log } from '../lib/log.ts';
import { sealedColumns } from './sealed-columns.ts';

type Keys = Pick<Rotation, 'last' | 'next' | 'promote' | 'keep_bridge'>;

/** Where the key comes from decides where the next one comes from, and who puts it in its place. */
function keysOf({ secret_key, new_secret_key, data_dir }: Config): Keys {
  if (secret_key === undefined) {
    if (new_secret_key !== undefined)
      throw new Error(
        'The master key is in the data directory, where its successor is made too: unset ATRIUM_NEW_SECRET_KEY',
      );
    const last = loadMasterKey({ data_dir, secret_key });
    return { last, next: nextKeyFile(data_dir), promote: () => promoteNextMasterKey(data_dir), keep_bridge: false };
  }
  if (new_secret_key === undefined || new_secret_key === secret_key)
    throw new Error(
      'The master key comes from ATRIUM_SECRET_KEY: set ATRIUM_NEW_SECRET_KEY to the one that shall take its place ' +
        '(`openssl rand -base64 32` makes a good one)',
    );
  const [last, next] = [masterKeyFrom(secret_key), masterKeyFrom(new_secret_key)];
  return { last, next, promote() {}, keep_bridge: true };
}

/** One at a time. The lock ends with the connection, so a killed process leaves none behind. */
async function alone(db: Database, work: () => Promise<void>): Promise<void> {
  const client = await db.pool.connect();
  try {
    const { rows } = await client.query(`select pg_try_advisory_lock(hashtext('atrium rotate-key')) as mine`);
    if (!rows[0].mine) throw new Error('Another rotation of the keys is running');
    await work();
    // A connection takes a moment to end, and whoever rotates again right away would still find it there.
    await client.query(`select pg_advisory_unlock(hashtext('atrium rotate-key'))`);
  } finally {
    client.release(true);
  }
}

/** Replaces the master key and the data keys, beside any number of running nodes. */
export async function rotateKey(
  config: Config,
  connection: PoolConfig,
  { log, say }: { log: Log; say(line: string): void },
): Promise<void> {
  const db = openDatabase({ connection, max: 4, log });
  try {
    await migrate(db.pool);
    const masters = await openMasterKeys(db, (again) => loadMasterKeys(config, again));
    const notifier = await openNotifier(connection, log);
    try {
      await alone(db, () =>
        rotateKeys({
          ...{ db, masters, say, ...keysOf(config), columns: sealedColumns },
          keyrings: { workspace: makeKeyring(db, masters), tenant: makeTenantKeyring(db, masters) },
          notify: (on) => notifier.notify(on, keyringTopic),
        }),
      );
    } finally {
      await notifier.close();
    }
    say(
      config.secret_key === undefined
        ? 'Done. The new master key is in the data directory; back it up.'
        : 'Done. Now set ATRIUM_SECRET_KEY to the new key everywhere, unset ATRIUM_NEW_SECRET_KEY and restart; what runs goes on until then. The first start with the new key ends the use of the old one.',
    );
  } finally {
    await db.close();
  }
}
