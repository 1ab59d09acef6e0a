import type { PoolConfig } from 'pg';
import type { Config } from '../../config.ts';
import { openDatabase } from '../../db/database.ts';
import { migrateDatabase } from '../../db/migrate.ts';
import { openNotifier } from '../../db/notifier.ts';
import { loadMasterKeys } from '../../features/keyring/load-master-key.ts';
import { openMasterKeys } from '../../features/keyring/master-keys.ts';
import { keyringTopic, rotateKeys } from '../../features/keyring/rotate-keys.ts';
import { rotationKeysOf } from '../../features/keyring/rotation-keys.ts';
import { makeKeyring, makeTenantKeyring } from '../../features/keyring/service.ts';
import type { Log } from '../../lib/log.ts';
import { sealedColumns } from './sealed-columns.ts';

/** Replaces the master key and the data keys while any number of nodes run. */
export async function rotateKey(
  config: Config,
  connection: PoolConfig,
  { log, say }: { log: Log; say(line: string): void },
): Promise<void> {
  const db = openDatabase({ connection, max: 4, log });
  try {
    await migrateDatabase(connection, log);
    const masters = await openMasterKeys(db, (again) => loadMasterKeys(config, again));
    const notifier = await openNotifier(connection, log);
    try {
      await rotateKeys({
        ...{ db, masters, say, columns: sealedColumns, keys: () => rotationKeysOf(config) },
        keyrings: { workspace: makeKeyring(db, masters), tenant: makeTenantKeyring(db, masters) },
        notify: (on) => notifier.notify(on, keyringTopic),
      });
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
