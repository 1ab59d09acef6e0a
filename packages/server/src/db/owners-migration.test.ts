import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { makeDatabase, testPool } from '../../test/support/test-database.ts';
import { migrate, readMigrations } from './migrate.ts';

test('keys, triggers and deployments that exist get an owner with what they hold', async () => {
  const { connection, drop } = await makeDatabase('empty');
  const pool = testPool(connection);
  pool.on('error', () => {});
  after(async () => {
    await pool.end();
    await drop();
  });
  const all = readMigrations();
  await migrate(
    pool,
    all.filter(({ version }) => version < 92),
  );
  const [tenant, home, key, rotated, system] = Array.from({ length: 5 }, () => randomUUID());
  const [ofKey, ofGone, deployment] = Array.from({ length: 3 }, () => randomUUID());
  const client = await pool.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(`insert into tenants (id, name) values ($1, '')`, [tenant]);
    await client.query(`insert into workspaces (id, tenant_id, name) values ($1, $2, '')`, [home, tenant]);
    for (const [id, line, tenant_admin, permissions] of [
      [key, null, false, '{agents_run}'],
      [rotated, key, false, '{agents_run}'],
      [system, null, true, '{org:admin}'],
    ])
      await client.query(
        `insert into api_keys (workspace_id, id, tenant_id, name, hash, hint, tenant_admin, permissions, line)
         values ($1, $2::uuid, $3, 'key', sha256($2::uuid::text::bytea), '', $4, $5, $6)`,
        [home, id, tenant, tenant_admin, permissions, line],
      );
    for (const [id, made_by] of [
      [ofKey, key],
      [ofGone, randomUUID()],
    ])
      await client.query(
        `insert into triggers (workspace_id, id, target_kind, target_id, type, name, enabled, definition, routing_key, principal)
         values ($1, $2::uuid, 'agent', $2::uuid, 'schedule', 'trigger', true, '{}', $2::uuid::text, $3)`,
        [home, id, { tenant_id: tenant, permissions: ['agents_run'], tenant_admin: false, made_by: [made_by] }],
      );
    await client.query(
      `insert into deployments (workspace_id, id, agent_id, channel, name, enabled, config, permissions, etag_ms)
       values ($1, $2, $2, 'web', 'page', true, '{}', '{agents_run}', 1)`,
      [home, deployment],
    );
  } finally {
    client.release(true);
  }
  await migrate(pool, all);
  const rows = async (text: string) => (await pool.query({ text, rowMode: 'array' })).rows;
  const owners = new Map((await rows('select id, service_account_id from api_keys')) as [string, string][]);
  assert.equal(owners.get(key as string), owners.get(rotated as string), 'the values of one key share their owner');
  assert.notEqual(owners.get(key as string), owners.get(system as string));
  const rights = async (owner: unknown) =>
    (await pool.query('select permissions from owner_rights where owner_id = $1', [owner])).rows.flatMap(
      ({ permissions }) => permissions,
    );
  assert.deepEqual(await rights(owners.get(key as string)), ['agents_run']);
  assert.deepEqual(await rights(owners.get(system as string)), ['org:admin']);
  const account = async (id: unknown) =>
    (await pool.query('select workspace_id from service_accounts where id = $1', [id])).rows[0];
  assert.equal((await account(owners.get(system as string))).workspace_id, null, 'the organization');
  const triggers = new Map((await rows('select id, owner_id from triggers')) as [string, string][]);
  assert.equal(triggers.get(ofKey as string), owners.get(key as string));
  assert.deepEqual(await rights(triggers.get(ofGone as string)), ['agents_run'], 'its maker is gone');
  const [[page]] = (await rows('select owner_id from deployments')) as [[string]];
  assert.deepEqual(await rights(page), ['agents_run']);
});
