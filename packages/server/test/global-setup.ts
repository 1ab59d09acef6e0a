import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApp } from '../src/app.ts';
import { type EmbeddedServer, startEmbedded } from '../src/db/embedded/start-embedded.ts';
import { makeLog } from '../src/lib/log.ts';
import { testConfig } from './support/test-config.ts';
import { onServer } from './support/test-database.ts';

let server: EmbeddedServer;
let dir: string;

/** Of what tests store nothing needs to survive a power cut: a database that is dropped would wait for the disk. */
const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/** The memory of the machine where there is enough of it: copying a database there takes a fifth of the time. */
const inMemory = '/dev/shm';
const needed_bytes = 6 * 1024 ** 3;

function placeForDatabases(): string {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize > needed_bytes && freemem() > needed_bytes ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** One PostgreSQL for the whole run; every test file gets a database of its own, copied from a migrated one. */
export async function globalSetup(): Promise<void> {
  dir = mkdtempSync(join(placeForDatabases(), 'atrium-test-'));
  server = await startEmbedded({ dir: join(dir, 'postgres'), settings });
  const app = await makeApp(testConfig(dir), server.connection, makeLog('silent'));
  await app.close();
  process.env['ATRIUM_TEST_SERVER'] = JSON.stringify(server.connection);
  process.env['ATRIUM_TEST_POSTMASTER'] = String(server.pid);
  // No test kills this PostgreSQL server. Crash tests start their own, with production settings.
  await onServer(async (client) => {
    await client.query('alter role current_user set synchronous_commit = off');
    // Every connection proves that it knows the password, by default with thousands of hashes on both sides.
    await client.query('set scram_iterations = 1');
    const password = client.escapeLiteral(server.connection.password);
    await client.query(`alter role current_user password ${password}`);
  });
}

export async function globalTeardown(): Promise<void> {
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}
