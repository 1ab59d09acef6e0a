import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { makeApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { makeLog } from '../../src/lib/log.ts';
import type { Answer, TestApp } from './test-app.ts';
import { adminKey, testConfig } from './test-config.ts';
import { testServer } from './test-database.ts';

/** A second node on the database of a test app, with a data directory of its own. Closed when the test file ends. */
export async function otherNode({ query }: Pick<TestApp, 'query'>, changes: Partial<Config>) {
  const [{ database }] = await query('select current_database() as database');
  const data_dir = mkdtempSync(join(tmpdir(), 'atrium-other-'));
  const connection = { ...testServer(), database };
  const app = await makeApp(testConfig(data_dir, changes), connection, makeLog('silent')).catch((error) => {
    rmSync(data_dir, { recursive: true, force: true });
    throw error;
  });
  // Before the app that has the database, which drops it.
  after(async () => {
    await app.close();
    rmSync(data_dir, { recursive: true, force: true });
  });
  async function call(method: string, url: string, payload?: object, key = adminKey): Promise<Answer> {
    const headers = { 'x-api-key': key };
    const sent = await app.server.inject({ method: method as 'GET', url, headers, ...(payload && { payload }) });
    const json = String(sent.headers['content-type']).includes('json') ? JSON.parse(sent.payload) : undefined;
    return { status: sent.statusCode, json, text: sent.payload, headers: sent.headers };
  }
  return { app, data_dir, call };
}
