import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface MasterKeyState {
  /** A known text sealed with the master key in use: tells whether a key is the right one. */
  check: string | null;
  /** The next master key sealed with the last one, by which nodes that know only the last one learn it. */
  bridge: string | null;
}

export async function readMasterKeyState(db: Db): Promise<MasterKeyState> {
  const row = await db.row<MasterKeyState>(sql`
    select (select value from instance where name = 'master_key_check') as check,
           (select value from instance where name = 'next_master_key') as bridge`);
  return row ?? { check: null, bridge: null };
}

/** Keeps the check of a new database; one that is already there stays. */
export const insertCheck = (db: Db, check: string) =>
  db.run(sql`insert into instance (name, value) values ('master_key_check', ${check}) on conflict do nothing`);

export const updateCheck = (db: Db, check: string) =>
  db.run(sql`update instance set value = ${check} where name = 'master_key_check'`);

export const deleteBridge = (db: Db, bridge: string) =>
  db.run(sql`delete from instance where name = 'next_master_key' and value = ${bridge}`);

/** Stores the bridge and the start time of a rotation, unless an unfinished rotation has left its own. */
export async function insertRotation(tx: Db, bridge: string): Promise<{ bridge: string; began: string }> {
  const inserted = await tx.run(sql`
    insert into instance (name, value) values ('next_master_key', ${bridge}) on conflict do nothing`);
  // A start time without a bridge is of an earlier, finished rotation.
  if (inserted) await tx.run(sql`delete from instance where name = 'key_rotation_began'`);
  await tx.run(sql`
    insert into instance (name, value) values ('key_rotation_began', now()::text) on conflict do nothing`);
  const row = await tx.row<{ bridge: string; began: string }>(sql`
    select (select value from instance where name = 'next_master_key') as bridge,
           (select value from instance where name = 'key_rotation_began') as began`);
  return row ?? { bridge: '', began: '' };
}

export const deleteRotation = (db: Db, { keep_bridge }: { keep_bridge: boolean }) =>
  db.run(sql`
    delete from instance where name = 'key_rotation_began' or (name = 'next_master_key' and not ${keep_bridge})`);

/**
 * Does the work unless another rotation is running; false when one is. The lock belongs to the connection, so that a
 * killed process leaves none behind.
 */
export async function withRotationLock(db: Database, work: () => Promise<void>): Promise<boolean> {
  const client = await db.pool.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      `select pg_try_advisory_lock(hashtext('atrium rotate-key')) as locked`,
    );
    if (!rows[0]?.locked) return false;
    await work();
    // Unlocked here, since closing the connection takes a moment in which the next rotation would be refused.
    await client.query(`select pg_advisory_unlock(hashtext('atrium rotate-key'))`);
    return true;
  } finally {
    client.release(true);
  }
}
