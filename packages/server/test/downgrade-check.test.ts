import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { readMigrations } from '../src/db/migrate.ts';
import { makeDatabase, testPool } from './support/test-database.ts';

const script = new URL('../scripts/downgrade-check.ts', import.meta.url).pathname;
const { connection, drop } = await makeDatabase();
const pool = testPool(connection);
const dir = mkdtempSync(join(tmpdir(), 'atrium-downgrade-'));
pool.on('error', () => {});
after(async () => {
  await pool.end();
  await drop();
  rmSync(dir, { recursive: true, force: true });
});

async function check(...asked: string[]) {
  const { host, port, user, password, database } = connection;
  const url = `postgresql://${user}:${encodeURIComponent(String(password))}@/${database}?host=${host}&port=${port}`;
  const env = { PATH: process.env['PATH'], DATABASE_URL: url, ATRIUM_DATA_DIR: dir };
  return promisify(execFile)(process.execPath, [script, ...asked], { cwd: dir, env }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout, stderr }) => ({ code: code as number, text: `${stdout}${stderr}` }),
  );
}

test('says which programs can run on the database, and fails for those that can not', async () => {
  const newest = readMigrations().at(-1)?.version ?? 0;
  await pool.query('update schema_migrations set minimum = version where version = $1', [newest]);
  const own = await check(String(newest));
  assert.deepEqual([own.code, /That program can\./.test(own.text)], [0, true], own.text);
  const older = await check(String(newest - 1));
  assert.deepEqual([older.code, /can not: restore a backup/.test(older.text)], [1, true], older.text);
  await pool.query('update schema_migrations set minimum = 1');
  assert.equal((await check(String(newest - 1))).code, 0);
  assert.match((await check()).text, /Programs that know migration 1 or a later one/);
  assert.equal((await check('last')).code, 1);
});
