import type { Config } from '../../config.ts';
import { migrateDatabase } from '../../db/migrate.ts';
import { openNotifier } from '../../db/notifier.ts';
import { makeEncryptedBlobs } from '../../drivers/blobs/encrypted.ts';
import { makeAuditWriter } from '../../features/audit/service.ts';
import { bootstrap } from '../../features/bootstrap/service.ts';
import { makeBlobKeys } from '../../features/files/encryption/blob-keys.ts';
import { hasAnyFile } from '../../features/files/store.ts';
import { loadMasterKeys } from '../../features/keyring/load-master-key.ts';
import { openMasterKeys } from '../../features/keyring/master-keys.ts';
import { reloadKeysOnChange } from '../../features/keyring/reload-keys-on-change.ts';
import { makeKeyring, makeTenantKeyring } from '../../features/keyring/service.ts';
import { makePrincipals } from '../../features/keys/principals.ts';
import { hasStoredFiles } from '../../features/sandboxes/files/stored-files-store.ts';
import { makeSealingCodec } from '../../features/text-encryption/sealing-codec.ts';
import { forgetConverted } from '../../features/text-encryption/text-column-store.ts';
import { loadTextFields } from '../../features/text-encryption/text-fields.ts';
import type { Log } from '../../lib/log.ts';
import { prepareQueue } from '../../worker/worker.ts';
import { openBlobs } from '../blobs.ts';
import type { Databases } from './open-databases.ts';

/** How many jobs run at once on a machine. */
export const jobsAtOnce = 4;
/** One for each job, one that listens and one for heartbeats. */
const queueConnections = jobsAtOnce + 2;

interface Options {
  config: Config;
  databases: Databases;
  log: Log;
}

/** What every feature stands on: the migrated database, keys, the audit log, notifications and stored files. */
export async function openFoundation({ config, databases, log }: Options) {
  const { db, unpooled, closing } = databases;
  await migrateDatabase(unpooled, log);
  // The queue listens to notifications and names its statements.
  const queueDb = databases.isPooled ? databases.open(queueConnections, 'direct') : db;
  await prepareQueue(queueDb, log);
  // Keys are loaded inside transactions, which would wait for each other if they shared a pool with them.
  const keyDb = databases.open(2);
  const masters = await openMasterKeys(keyDb, (again) => loadMasterKeys(config, again));
  const home = await bootstrap(db, config.admin_key);
  const audit = makeAuditWriter({ db, log, home_tenant_id: home.tenant_id });
  closing.push(() => audit.close());

  const notifier = await openNotifier(unpooled, log);
  closing.push(() => notifier.close());
  // Runs of this node are then taken over by another one, and callers are told at once.
  notifier.onUnreachable(() => databases.cut());
  const keyring = makeKeyring(keyDb, masters);
  const keyrings = { workspace: keyring, tenant: makeTenantKeyring(keyDb, masters) };
  reloadKeysOnChange({ notifier, masters, keyrings, log });
  const principals = makePrincipals({ db, notifier, log });
  closing.push(() => principals.close());
  const encrypt = config.encrypt_at_rest;
  const keys = makeBlobKeys({ db: keyDb, keyrings, tenant_id: home.tenant_id });
  const textCodec = makeSealingCodec({ keys, encrypt, findTextFields: await loadTextFields(db) });
  db.useTextCodec(textCodec);
  await forgetConverted(db);
  const hasFiles = async () => (await hasAnyFile(db)) || (await hasStoredFiles(db));
  const rawBlobs = await openBlobs(config, { log, db, hasFiles });
  const blobs = makeEncryptedBlobs(rawBlobs, { keys, encrypt });
  return {
    ...{ db, queueDb, unpooled, closing, masters, home, audit, notifier, keyring, keyrings, principals },
    ...{ encrypt, textCodec, blobs },
  };
}

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;
