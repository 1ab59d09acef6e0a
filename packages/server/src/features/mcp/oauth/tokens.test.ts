import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { makeDatabase } from '../../../../test/support/test-database.ts';
import { type Database, openDatabase } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { Web } from '../../../drivers/web/driver.ts';
import { newId } from '../../../lib/ids.ts';
import { makeLog } from '../../../lib/log.ts';
import { newBoxKey } from '../../../lib/secrets/sealed-box.ts';
import { makeKeyring } from '../../keyring/service.ts';
import { fixedMasterKey } from '../../keyring/testing.ts';
import { insertServer, updateLogin } from '../store.ts';
import { makeTokens, mcpSecretsPurpose } from './tokens.ts';

const { connection, drop } = await makeDatabase();
const db = openDatabase({ connection, max: 8, log: makeLog('silent') });
after(async () => {
  await db.close();
  await drop();
});
const master = fixedMasterKey(newBoxKey());
const keyring = makeKeyring(db, master);

/** An MCP server with a one-time refresh token, an authorization server that answers on demand, and several nodes. */
async function rig() {
  const [workspace_id, id] = [newId(), newId()];
  await db.run(sql`insert into workspaces (id, tenant_id, name) select ${workspace_id}, id, 'test' from tenants`);
  await insertServer(db, workspace_id, id, `https://mcp.example.com/${id}`);
  const login = async (refresh_token: string) => {
    const secrets = JSON.stringify({ client_secret: null, refresh_token });
    await updateLogin(db, workspace_id, id, {
      ...{ grant_type: 'refresh_token', token_url: 'https://login.example.com/token', client_id: 'atrium' },
      ...{ scope: null, issuer: null, secrets: await keyring.seal(workspace_id, mcpSecretsPurpose(id), secrets) },
    });
  };
  await login('once-1');
  const used: string[] = [];
  const answering = Promise.withResolvers<void>();
  const first = Promise.withResolvers<void>();
  const web: Web = {
    ...({} as Web),
    async fetch(_, request) {
      used.push(new URLSearchParams(String(request?.body)).get('refresh_token') ?? '');
      first.resolve();
      if (used.length === 1) await answering.promise;
      const token = {
        access_token: `access of ${used.at(-1)}`,
        refresh_token: `next-${used.length}`,
        expires_in: 3600,
      };
      return { url: '', status: 200, headers: {}, body: Readable.from([JSON.stringify(token)]) };
    },
  };
  /** A node, and a promise that resolves when it has seen that another node requests the token. */
  const node = () => {
    const waits = Promise.withResolvers<void>();
    const watched: Database = {
      ...db,
      async run(statement) {
        const touched = await db.run(statement);
        if (touched === 0) waits.resolve();
        return touched;
      },
    };
    const tokens = makeTokens({ db: watched, keyring: makeKeyring(db, master), web });
    return { waits: waits.promise, token: () => tokens.tokenOf(workspace_id, id) };
  };
  return { used, asked: first.promise, answer: () => answering.resolve(), login, node, id };
}

test('requests a token on one of two nodes while the second waits for it', async () => {
  const { used, asked, answer, node } = await rig();
  const [one, other] = [node(), node()];
  const first = one.token();
  await asked;
  const second = other.token();
  await Promise.race([other.waits, second]);
  assert.deepEqual(used, ['once-1']);
  answer();
  assert.deepEqual(await Promise.all([first, second]), ['access of once-1', 'access of once-1']);
  assert.deepEqual(used, ['once-1']);
});

test('does not store a token of the old login when the login changes meanwhile', async () => {
  const { used, asked, answer, login, node } = await rig();
  const { token } = node();
  const got = token();
  await asked;
  await login('once-2');
  answer();
  assert.equal(await got, 'access of once-2');
  assert.deepEqual(used, ['once-1', 'once-2']);
});

test('requests the token on another node when the first node has died', async () => {
  const { used, asked, answer, node, id } = await rig();
  const dead = node().token();
  await asked;
  const other = node();
  const second = other.token();
  await Promise.race([other.waits, second]);
  await db.run(sql`update mcp_servers set renewal_until = now() - interval '1 second' where id = ${id}`);
  assert.equal(await second, 'access of once-1');
  assert.equal(used.length, 2);
  // The first node was not dead after all: its token comes too late, and the newer one stays.
  answer();
  assert.equal(await dead, 'access of once-1');
  const [row] = await db.rows<{ renewal: string | null }>(sql`select renewal from mcp_servers where id = ${id}`);
  assert.equal(row?.renewal, null);
});
