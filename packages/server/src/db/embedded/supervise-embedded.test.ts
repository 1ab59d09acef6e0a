import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { superviseEmbedded } from './supervise-embedded.ts';

async function count(connection: pg.ClientConfig): Promise<number> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query('select n from kept')).rows[0].n;
  } finally {
    await client.end();
  }
}

test('a PostgreSQL that ends by itself is started again with what it had', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-keep-'));
  const said: string[] = [];
  const server = await superviseEmbedded({
    dir: join(dir, 'postgres'),
    log: (message) => said.push(message),
    onGone: (error) => assert.fail(error),
  });
  try {
    const client = new pg.Client(server.connection);
    client.on('error', () => {});
    await client.connect();
    await client.query('create table kept as select 7 as n');
    process.kill(Number(readFileSync(join(dir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');

    // One that is still ending would answer, too.
    const isNoticed = () => said.some((message) => message.includes('starting it again'));
    let found: number | undefined;
    for (let tries = 0; tries < 1200 && found === undefined; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      if (isNoticed()) found = await count(server.connection).catch(() => undefined);
    }
    assert.ok(isNoticed());
    assert.equal(found, 7);
  } finally {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});
