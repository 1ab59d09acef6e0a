import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServerProcess, startProcess } from '../test/support/server-process.ts';
import { makeDatabase, testPool } from '../test/support/test-database.ts';
import { until } from '../test/support/two-nodes.ts';

const rounds = Number(process.env.KILL_ROUNDS ?? 3);
const key = 'audit-kill-admin-key-0123456789';
const database = await makeDatabase('empty');
const dir = mkdtempSync(join(tmpdir(), 'atrium-audit-kill-'));
const { user, password, host, port, database: name } = database.connection;
const env = {
  DATABASE_URL: `postgres://${user}:${password}@/${name}?${new URLSearchParams({ host, port: String(port) })}`,
  ...{ ATRIUM_ADMIN_KEY: key, ATRIUM_SECRET_KEY: 'audit-kill-secret-key-0123456789' },
};
const pool = testPool(database.connection);
const query = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;
let server: ServerProcess | undefined;
after(async () => {
  await server?.kill();
  await pool.end();
  await database.drop();
  rmSync(dir, { recursive: true, force: true });
});

const verify = () => {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const program = new URL('../scripts/audit-verify.ts', import.meta.url).pathname;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], {
    ...{ env: { PATH, NODE_COMPILE_CACHE, ...env }, encoding: 'utf8', cwd: dir },
  });
  return { status, output: stdout + stderr };
};

/** Creates agents until the server is gone; each client goes on by itself. */
async function createAgents(address: string, onCreated: () => void): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'made' });
  for (;;)
    try {
      const { ok } = await fetch(`${address}/v1/agents`, { method: 'POST', headers, body });
      if (ok) onCreated();
    } catch {
      return;
    }
}

test(`the audit chain is whole after ${rounds} kills, and an altered row is found`, async () => {
  for (let round = 0; round < rounds; round++) {
    server = startProcess({ dir, env });
    const address = await server.ready;
    const { promise: created, resolve: onCreated } = Promise.withResolvers<void>();
    const clients = Array.from({ length: 8 }, () => createAgents(address, onCreated));
    await created;
    await sleep((round * 137) % 400);
    await server.kill();
    await Promise.all(clients);
  }
  server = startProcess({ dir, env });
  await server.ready;
  await until('all rows are linked', async () => (await query('select 1 from audit_unlinked limit 1')).length === 0);
  // Every agent that is there has its row, and every row its agent.
  const [{ agents, rows, together }] = await query(`
    select (select count(*)::int from agents) as agents,
      (select count(*)::int from audit_log where operation = 'agents.create') as rows,
      (select count(*)::int from agents a join audit_log r on r.target_id = a.id::text) as together`);
  assert.ok(agents >= rounds, `${agents} agents`);
  assert.deepEqual([rows, together], [agents, agents]);
  const intact = verify();
  assert.deepEqual(
    [intact.status, /intact: (\d+) entries/.exec(intact.output)?.[1]],
    [0, String(agents)],
    intact.output,
  );

  const [{ id }] = await query('select id from audit_log order by id offset $1 limit 1', [Math.floor(agents / 2)]);
  await query('alter table audit_log disable trigger user');
  await query(`update audit_log set actor_id = 'somebody else' where id = $1`, [id]);
  const altered = verify();
  assert.equal(altered.status, 1, altered.output);
  assert.match(altered.output, new RegExp(`FAULT altered: .* entry ${id}\\n`));
});
