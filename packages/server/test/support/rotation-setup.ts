import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import { rotateKey } from '../../src/app/keyring/rotate-key.ts';
import { sealedColumns } from '../../src/app/keyring/sealed-columns.ts';
import { type App, makeApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import { keyringJobs } from '../../src/features/keyring/jobs.ts';
import { loadMasterKeys } from '../../src/features/keyring/load-master-key.ts';
import { openMasterKeys } from '../../src/features/keyring/master-keys.ts';
import { makeKeyring, makeTenantKeyring } from '../../src/features/keyring/service.ts';
import { makeLog } from '../../src/lib/log.ts';
import { adminKey, testConfig } from './test-config.ts';
import { makeDatabase, testPool } from './test-database.ts';

const log = makeLog('silent');

type Call = (method: 'GET' | 'POST', url: string, payload?: object, headers?: object) => Promise<{ text: string }>;

async function asked(app: App, key: string, ...[method, url, payload, headers]: Parameters<Call>) {
  const answer = await app.server.inject({
    method,
    url,
    headers: { 'x-api-key': key, ...headers },
    ...(payload && { payload }),
  });
  assert.equal(answer.statusCode, 200, `${method} ${url}: ${answer.payload}`);
  return answer.payload;
}

/** A workspace with a box in every column that holds them, and a look at whether all of them open. */
export async function fillSealedColumns(app: App) {
  const [plain, marked] = [`plain-${randomUUID()}`, randomUUID()];
  const group = JSON.parse(await asked(app, adminKey, 'POST', '/v1/admin/groups', { name: marked }));
  const made = await asked(app, adminKey, 'POST', `/v1/admin/groups/${group.id}/api-keys`, { name: 'k' });
  const key: string = JSON.parse(made).value;
  const headers = { 'idempotency-key': randomUUID() };
  const body = { name: 'v', inline_value: plain };
  const variable = await asked(app, key, 'POST', '/v1/variables', body, headers);
  const secret = await asked(app, key, 'POST', '/v1/variables', { name: 's', inline_value: plain, is_secret: true });
  const talk = { settings: { persona: 'For {{who}}', model: ['atrium/extractive'] }, variables: { who: marked } };
  const conversation = JSON.parse(await asked(app, key, 'POST', '/v1/conversations', talk));
  const shared = JSON.parse(await asked(app, key, 'POST', `/v1/conversations/${conversation.id}/share`));
  const vault = { name: 'vault', address: 'https://vault.example', token: marked };
  const credential = JSON.parse(await asked(app, key, 'POST', '/v1/vault-credentials', vault));
  const account = {
    provider: 'openai-compatible',
    name: `p-${marked}`,
    base_urls: ['http://127.0.0.1:9'],
    api_key: plain,
  };
  const provider = JSON.parse(await asked(app, adminKey, 'POST', '/v1/admin/providers', account));
  return {
    plain,
    workspace_id: group.id as string,
    variable_id: JSON.parse(variable).id as string,
    secret_id: JSON.parse(secret).id as string,

    async check(node: App): Promise<void> {
      const get = async (url: string) => JSON.parse(await asked(node, key, 'GET', url));
      assert.equal((await get(`/v1/variables/${JSON.parse(variable).id}`)).inline_value, plain);
      assert.equal(await asked(node, key, 'POST', '/v1/variables', body, headers), variable);
      const { public_access_token } = await get(`/v1/conversations/${conversation.id}`);
      assert.equal(public_access_token, shared.public_access_token);
      assert.equal((await get(`/v1/vault-credentials/${credential.id}`)).token, '********');
      const providers = JSON.parse(await asked(node, adminKey, 'GET', '/v1/admin/providers'));
      assert.ok(providers.some(({ id }: { id: string }) => id === provider.id));
      // The run fills the value that was sent into its prompt, so it has to open it.
      await asked(node, key, 'POST', `/v1/conversations/${conversation.id}`, { content: 'Hello' });
      const { status } = await get(`/v1/conversations/${conversation.id}`);
      assert.equal(status, 'completed');
    },
  };
}

export type Filled = Awaited<ReturnType<typeof fillSealedColumns>>;

/** A database of its own whose keys are replaced, with any number of nodes on it. */
export async function makeRotationSetup(changes: Partial<Config>) {
  const database = await makeDatabase();
  const { connection } = database;
  const pool = testPool(connection);
  // PostgreSQL sends an error to connections that are still closing when the database is dropped.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  const config = testConfig('/nowhere', changes);
  // Every test database is copied from one that was started with the key of the tests.
  await pool.query(`delete from instance where name = 'master_key_check'`);
  const nodes: App[] = [];
  const db = openDatabase({ connection, max: 3, log });
  after(async () => {
    for (const node of nodes) await node.close();
    await db.close();
    await pool.end();
    await database.drop();
  });
  const masters = (more: Partial<Config> = {}) =>
    openMasterKeys(db, (again) => loadMasterKeys({ ...config, ...more }, again));

  return {
    config,
    connection,
    query: async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows,

    async node(more: Partial<Config> = {}): Promise<App> {
      const node = await makeApp({ ...config, ...more }, connection, log);
      nodes.push(node);
      return node;
    },

    async rotate(more: Partial<Config>): Promise<string[]> {
      const said: string[] = [];
      await rotateKey({ ...config, ...more }, connection, { log, say: (line) => said.push(line) });
      return said;
    },

    keyring: async (more: Partial<Config> = {}) => makeKeyring(db, await masters(more)),

    /** What the hourly job does. */
    async sweep(): Promise<void> {
      const own = await masters();
      const keyrings = { workspace: makeKeyring(db, own), tenant: makeTenantKeyring(db, own) };
      const [job] = keyringJobs({ db, masters: own, keyrings, columns: sealedColumns });
      await job?.handler({ log, signal: new AbortController().signal }, {});
    },

    /** All boxes there are, but the bridge and the check. */
    async boxes(): Promise<Set<string>> {
      const found = new Set<string>();
      for (const { name } of [...sealedColumns, { name: 'data_keys.wrapped' }, { name: 'tenant_keys.wrapped' }]) {
        const [table, column] = name.split('.');
        const { rows } = await pool.query(`select ${column} as box from ${table} where ${column} is not null`);
        for (const { box } of rows) found.add(box);
      }
      return found;
    },
  };
}
