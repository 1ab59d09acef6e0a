import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { environmentFindings } from '../scripts/doctor-addresses.ts';
import { storedFindings } from '../scripts/doctor-database.ts';
import { providersFrom } from '../src/config/providers.ts';
import { startEmbedded } from '../src/db/embedded/start-embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import { agentApp } from '../src/features/agents/testing.ts';
import { makeDatabase, testPool } from './support/test-database.ts';

const dir = mkdtempSync(join(tmpdir(), 'atrium-doctor-test-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const urlOf = ({ host, port, user, password, database }: Record<string, unknown>) =>
  `postgresql://${user}:${encodeURIComponent(String(password))}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;
const secret = 'sk-doctor-0123456789';

test('lists the names of secrets without allowed_hosts at DATABASE_URL, and no value', async () => {
  const { call, good, workspace_id, query } = await agentApp();
  const make = async (body: object) => good(await call('POST', '/v1/variables', { inline_value: secret, ...body }));
  await make({ name: 'LOOSE', is_secret: true });
  await make({ name: 'ANOTHER', is_secret: true });
  await make({ name: 'BOUND', is_secret: true, allowed_hosts: ['api.example.com'] });
  await make({ name: 'PLAIN' });
  const [{ database }] = await query('select current_database() as database');
  const database_url = urlOf({ ...JSON.parse(process.env['ATRIUM_TEST_SERVER'] as string), database });
  const lines = await storedFindings({ database_url, data_dir: dir });
  assert.match(lines.join('\n'), /secrets without allowed_hosts/);
  assert.ok(
    lines.some((line) => line.includes(workspace_id) && line.endsWith(': ANOTHER, LOOSE')),
    lines.join('\n'),
  );
  assert.ok(!lines.join().includes(secret) && !/BOUND|PLAIN/.test(lines.join()));
});

test('lists providers from before at private addresses, and no key', async () => {
  const { admin, query } = await agentApp();
  const make = async (name: string, base_url: string, from: string | null) => {
    const body = { provider: 'openai-compatible', name, base_urls: [base_url], api_key: secret };
    const { json } = await admin('POST', '/v1/admin/providers', body);
    await query('update provider_accounts set private_allowed = $1 where id = $2', [from, json.id]);
  };
  await make('old-inside', 'http://10.0.0.9/v1', 'stored_before');
  await make('old-outside', 'https://93.184.216.34/v1', 'stored_before');
  await make('given', 'http://10.0.0.8/v1', 'org_admin');
  const [{ database }] = await query('select current_database() as database');
  const database_url = urlOf({ ...JSON.parse(process.env['ATRIUM_TEST_SERVER'] as string), database });
  const lines = (await storedFindings({ database_url, data_dir: dir })).join('\n');
  assert.match(
    lines,
    /providers at private addresses from before.*\n {2}old-inside \([\w-]+\): http:\/\/10\.0\.0\.9\/v1/,
  );
  assert.doesNotMatch(lines, /old-outside|given|sk-doctor/);
});

test('lists providers of the environment at private addresses', async () => {
  const providers = providersFrom({
    OPENAI_BASE_URL: ['http://169.254.169.254/v1', 'https://93.184.216.34/v1'],
    OPENAI_COMPATIBLE_BASE_URL: ['http://127.0.0.1:11434/v1?key=hush-hush', 'http://[fd00::1]/v1'],
    MISTRAL_API_KEY: secret,
  });
  assert.deepEqual(await environmentFindings({ providers }), [
    'openai: http://169.254.169.254/v1 (a metadata service: never reached)',
    'openai-compatible: http://127.0.0.1:11434/v1?key=********, http://[fd00::1]/v1',
  ]);
});

test('says that a database can not be reached, and nothing of its password', async () => {
  for (const database_url of ['postgresql://u:hush-hush@127.0.0.1:1/d', 'postgresql://u:hush-hush@nowhere.invalid/d']) {
    const [line = '', ...more] = await storedFindings({ database_url, data_dir: dir });
    assert.match(line, /the database can not be reached/);
    assert.ok(more.length === 0 && !line.includes('hush'), line);
  }
  const [line = ''] = await storedFindings({ database_url: undefined, data_dir: join(dir, 'none') });
  assert.match(line, /can not be reached.*There is no database in/);
});

test('reads a database that an older program has filled, and one that none has', async () => {
  const database = await makeDatabase('empty');
  const pool = testPool(database.connection);
  after(async () => {
    await pool.end();
    await database.drop();
  });
  const look = () => storedFindings({ database_url: urlOf(database.connection), data_dir: dir });
  assert.deepEqual(await look(), ['the database is empty']);
  await pool.query(`create table workspaces (id int, name text);
    create table variables (workspace_id int, name text, is_secret boolean);
    insert into workspaces values (1, 'Old'); insert into variables values (1, 'LEGACY', true), (1, 'plain', false)`);
  assert.equal((await look()).at(-1), '  Old (1): LEGACY');
});

test('reads the embedded database, whether or not the program runs', async () => {
  const postgres = join(dir, 'postgres');
  const server = await startEmbedded({ dir: postgres });
  const look = () => storedFindings({ database_url: undefined, data_dir: dir });
  try {
    const pool = testPool(server.connection);
    await migrate(pool);
    await pool.query(`with t as (insert into tenants (id, name) values (gen_random_uuid(), 't') returning id),
        w as (insert into workspaces (id, tenant_id, name) select gen_random_uuid(), id, 'Here' from t returning id)
      insert into variables (workspace_id, id, name, type, source, is_secret)
      select id, gen_random_uuid(), 'EMBEDDED', 'string', 'inline', true from w`);
    await pool.end();
    assert.match((await look()).join('\n'), /Here .*: EMBEDDED/);
  } finally {
    await server.stop();
  }
  assert.match((await look()).join('\n'), /Here .*: EMBEDDED/);
});
