import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { methodAndPath } from '@atrium/contract/operation.ts';
import { type App, type AppOptions, makeApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { type Log, makeLog } from '../../src/lib/log.ts';
import type { Route } from '../../src/lib/route.ts';
import { adminKey, testConfig } from './test-config.ts';
import { type Connection, makeDatabase, testPool } from './test-database.ts';

/** An answer's JSON, for tests to look into without casting at every step. */
// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Json = any;

export interface Answer {
  status: number;
  json: Json;
  text: string;
  headers: Record<string, string | string[] | number | undefined>;
}

export interface CallOptions {
  key?: string | null;
  headers?: Record<string, string>;
}

export interface TestApp {
  app: App;
  admin: string;
  /** Calls the API as the admin unless `options` has a key. Checks every 200 against the route's response schema. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** A new workspace with a key to it, so that tests do not see each other's records. */
  workspace(permissions?: string[]): Promise<{ id: string; key: string }>;
  query(text: string, values?: unknown[]): Promise<Json[]>;
  logged: string[];
}

/** Codes that every operation may answer with. */
const sharedCodes =
  /^(unauthorized|forbidden|not_found|conflict|unavailable|too_many|too_large|unsupported_media_type|bad_request|internal_error|rate_limited|too_many_streams|no_workspace|origin_refused|second_factor_required|idempotency_key_\w+)$/;

/** An operation that lists its errors lists all codes of its own. */
function checkErrorCode(route: Route | undefined, { status, json }: Answer): void {
  const code = json?.code;
  if (!route?.errors || status < 400 || typeof code !== 'string' || sharedCodes.test(code)) return;
  const isListed = route.errors.some((error) => error.code === code && error.status === status);
  assert.ok(isListed, `${route.id} answered ${status} ${code}, which it does not list`);
}

/** Finds the operation of a request. A literal path takes precedence over one with parameters. */
function makeRouteFinder(routes: readonly Route[]): (method: string, path: string) => Route | undefined {
  const patterns = routes
    .map((route) => ({ route, ...methodAndPath(route) }))
    .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
    .map(({ route, method, path }) => ({
      ...{ route, method, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) },
    }));
  return (method, path) => {
    const bare = path.split('?', 1)[0] ?? '';
    return patterns.find((one) => one.method === method && one.pattern.test(bare))?.route;
  };
}

function checkAnswer(route: Route | undefined, answer: Answer): void {
  checkErrorCode(route, answer);
  // A stream is not JSON; the test that reads it checks its content.
  const streams = String(answer.headers['content-type']).startsWith('text/event-stream');
  if (!route || answer.status !== (route.status ?? 200) || answer.status === 204 || streams) return;
  const parsed = route.answer.safeParse(answer.json);
  assert.ok(parsed.success, `${route.route} answered what its schema does not say: ${parsed.error?.message}`);
}

/** The whole program on a database of its own, spoken to without a socket. Closed when the test file ends. */
export async function testApp(
  changes: Partial<Config> = {},
  options: AppOptions = {},
  /** How the program reaches its database, if not as the test does. */
  reach: (connection: Connection) => Promise<Connection> = async (connection) => connection,
): Promise<TestApp> {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-app-'));
  const database = await makeDatabase();
  const logged: string[] = [];
  const log: Log = makeLog('debug', (line) => logged.push(line));
  const app = await makeApp(testConfig(dir, changes), await reach(database.connection), log, options);
  const pool = testPool(database.connection);
  // Tests end backends on purpose.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  after(async () => {
    await pool.end();
    await app.close();
    await database.drop();
    rmSync(dir, { recursive: true, force: true });
  });

  const findRoute = makeRouteFinder(app.routes);
  const isWide = (body: unknown): body is { reach: 'workspace' } =>
    body !== null && typeof body === 'object' && 'reach' in body && body.reach === 'workspace';
  /** Makes a key with `reach: 'workspace'`, as only keys from before records had owners have it. */
  async function makeWideKey(path: string, body: object, options: CallOptions): Promise<Answer> {
    const made = await call('POST', path, { ...body, reach: undefined }, options);
    if (made.status !== 200) return made;
    await pool.query("update api_keys set reach = 'workspace' where id = $1", [made.json.id]);
    return { ...made, json: { ...made.json, reach: 'workspace' } };
  }
  const call: TestApp['call'] = async (method, path, body, options = {}) => {
    if (method === 'POST' && path.endsWith('/api-keys') && isWide(body)) return makeWideKey(path, body, options);
    const key = options.key === undefined ? adminKey : options.key;
    const response = await app.server.inject({
      method: method as 'GET',
      url: path,
      headers: {
        ...(key !== null && { 'x-api-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body !== undefined && {
        payload: (typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)) as string,
      }),
    });
    let json: Json;
    try {
      json = JSON.parse(response.payload);
    } catch {
      json = undefined;
    }
    const answer = { status: response.statusCode, json, text: response.payload, headers: response.headers };
    checkAnswer(findRoute(method, path), answer);
    return answer;
  };

  return {
    app,
    admin: adminKey,
    call,
    logged,
    async workspace(permissions) {
      const { json: group } = await call('POST', '/v1/admin/groups', { name: 'test' });
      const wide = { name: 'test', permissions, reach: 'workspace' };
      const key = await call('POST', `/v1/admin/groups/${group.id}/api-keys`, wide);
      return { id: group.id, key: key.json.value };
    },
    query: async (text, values) => (await pool.query(text, values)).rows,
  };
}
