import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sealedColumns } from '../../src/app/keyring/sealed-columns.ts';
import { startProcess } from '../support/server-process.ts';
import { makeDatabase } from '../support/test-database.ts';
import { formsOf, makeCanaryApp } from './canary-app.ts';
import { canaryPaths } from './canary-paths.ts';

const canary = await makeCanaryApp();
const { marks, query } = canary;

/** Returns the kinds of marks that a text contains in any encoding. */
const marksIn = (text: string) =>
  Object.entries(marks).flatMap(([kind, mark]) => (formsOf(mark).some((form) => text.includes(form)) ? [kind] : []));

/** Every row of every table of the database, as text. */
async function* rowsOf(): AsyncGenerator<{ table: string; row: string }> {
  const tables = await query(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  for (const { name } of tables)
    for (const { row } of await query(`select t::text as row from ${name} t`)) yield { table: name, row };
}

test('the marks are recognised in every form, so that finding none means something', () => {
  for (const [kind, mark] of Object.entries(marks))
    for (const text of [
      mark,
      JSON.stringify({ a: `"${mark}"` }),
      Buffer.from(`user:${mark}`).toString('base64'),
      Buffer.from(`${mark}x`).toString('base64'),
      Buffer.from(`us${mark}xyz`).toString('base64url'),
      Buffer.from(mark).toString('hex'),
    ])
      assert.deepEqual(marksIn(text), [kind], text);
});

for (const { path, arrives, run } of canaryPaths)
  test(`no secret is seen on the way of ${path}`, async () => {
    const [answers, asked, logs, got] = [canary.seen, canary.provider.requests, canary.logged, canary.target.got].map(
      (list) => list.length,
    );
    await run(canary);
    for (const text of canary.seen.slice(answers)) assert.deepEqual(marksIn(text), [], text);
    for (const { body } of canary.provider.requests.slice(asked))
      assert.deepEqual(marksIn(JSON.stringify(body) ?? ''), []);
    for (const line of canary.logged.slice(logs)) assert.deepEqual(marksIn(line), [], line);
    for await (const { table, row } of rowsOf()) assert.deepEqual(marksIn(row), [], `${table}: ${row}`);
    const arrived = canary.target.got.slice(got).join('');
    if (arrives) assert.deepEqual(marksIn(arrived), ['inline', 'environment', 'vault', 'object']);
    else assert.deepEqual(marksIn(arrived), []);
  });

test('every column that holds sealed boxes is one that is sealed anew when keys are replaced', async () => {
  const columns = await query(
    `select table_name, column_name from information_schema.columns
     where table_schema = 'public' and data_type in ('text', 'json', 'jsonb', 'ARRAY', 'character varying', 'bytea')`,
  );
  const found = [];
  for (const { table_name: table, column_name: column } of columns) {
    const [box] = await query(
      `select 1 from "${table}" where position('box1.' in "${column}"::text) > 0
       or position(encode('box1.', 'hex') in "${column}"::text) > 0 limit 1`,
    );
    if (box) found.push(`${table}.${column}`);
  }
  // The keys themselves and the check of the master key are sealed with the master key.
  const keys = ['data_keys.wrapped', 'tenant_keys.wrapped', 'instance.value'];
  assert.deepEqual(found.sort(), [...sealedColumns.map(({ name }) => name), ...keys].sort());
});

test('the program itself prints no secret and leaves none in its directory', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-canary-'));
  const database = await makeDatabase('empty');
  const { user, password, host, port, database: name } = database.connection;
  const url = `postgres://${user}:${password}@/${name}?${new URLSearchParams({ host, port: String(port) })}`;
  const key = 'canary-admin-key-0123456789';
  const server = startProcess({
    dir,
    env: {
      ...{ DATABASE_URL: url, ATRIUM_ADMIN_KEY: key, ATRIUM_LOG_LEVEL: 'debug', ATRIUM_SECRET_KEY: marks.provider },
      ATRIUM_VAR_CANARY: marks.environment,
    },
  });
  after(async () => {
    if (server.child.exitCode === null) await server.kill();
    await database.drop();
    rmSync(dir, { recursive: true, force: true });
  });
  const address = await server.ready;
  const post = async (path: string, body: object) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { id: string };
  };
  const one = await post('/v1/variables', { name: 'a', inline_value: marks.inline, is_secret: true });
  await post('/v1/variables', { name: 'a', type: 'number', inline_value: marks.inline });
  const two = await post('/v1/variables', { name: 'b', source: 'environment', env_var_name: 'ATRIUM_VAR_CANARY' });
  const settings = { variables_enabled: true, variables: [one.id, two.id], persona: '{{a}} {{b}} {{secret.b}}' };
  const { id } = await post('/v1/conversations', { settings, variables: { c: marks.object } });
  await post(`/v1/conversations/${id}`, { content: 'What time is it?' });
  assert.equal(await server.stop(), 0);
  assert.match(server.output(), /"level":"debug"/);
  assert.deepEqual(marksIn(server.output()), []);
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) assert.deepEqual(marksIn(readFileSync(join(entry.parentPath, entry.name), 'latin1')), []);
});
