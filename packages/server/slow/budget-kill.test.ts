import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openaiProvider } from '../test/providers/openai-provider.ts';
import { type ServerProcess, startProcess } from '../test/support/server-process.ts';
import { makeDatabase } from '../test/support/test-database.ts';

const clients = 64;
const nodes = 3;
/** What a killed node has reserved comes back later only: with kills without end, nothing would be left to spend. */
const mostKills = 6;
const key = 'budget-kill-admin-key-0123456789';
const price = { input: 2, cached_input: 1, output: 10 };
const dir = mkdtempSync(join(tmpdir(), 'atrium-budget-'));
const models_file = join(dir, 'models.json');
writeFileSync(models_file, JSON.stringify([{ provider: 'openai-compatible', model: 'one', price }]));
const database = await makeDatabase('empty');
const { host, port, user, password, database: name } = database.connection;
const provider = await openaiProvider();
const started: ServerProcess[] = [];
after(async () => {
  for (const { child } of started) if (child.exitCode === null) child.kill('SIGKILL');
  await provider.close();
  await database.drop();
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
});

async function start(node: number): Promise<{ server: ServerProcess; address: string }> {
  const server = startProcess({
    dir: join(dir, `node-${node}`),
    env: {
      ...{ ATRIUM_ADMIN_KEY: key, ATRIUM_SECRET_KEY: 'budget-kill-secret-key-0123456789', ATRIUM_TAGGER: 'words' },
      ...{ ATRIUM_MODELS_FILE: models_file, ATRIUM_PROVIDER_ALLOW: '127.0.0.1', ATRIUM_DB_POOL: '5' },
      DATABASE_URL: `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${name}`,
    },
  });
  started.push(server);
  return { server, address: await server.ready };
}

test('64 clients with kills against one budget spend no more than it', { timeout: 240_000 }, async (t) => {
  const max_cost = 0.8;
  const running = [await start(0)];
  for (let node = 1; node < nodes; node++) running.push(await start(node));
  const api = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${running[0]?.address}${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const json = (await answer.json()) as Record<string, never>;
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(json)}`);
    return json as unknown as { id: string; used: Amounts; reserved: Amounts; over: Amounts; state: string };
  };
  type Amounts = { tokens: number; cost: number };
  const account = {
    name: 'p',
    provider: 'openai-compatible',
    base_urls: [provider.url],
    api_key: 'k',
    models: ['one'],
  };
  await api('POST', '/v1/admin/providers', account);
  const definition = { model: ['p/one'], max_retries_per_model: 0, max_tokens: 400, timeout: 30 };
  const agent = await api('POST', '/v1/agents', { name: 'A', definition });
  const budget = await api('POST', '/v1/admin/budgets', { name: 'All', max_cost, period: 'month' });

  // A provider bills what it was asked for, whether or not anybody still listens to the answer.
  const billed = { calls: 0, cost: 0 };
  provider.answers = ({ max_tokens }) => {
    const usage = {
      input: 300 + Math.floor(Math.random() * 300),
      output: Math.min(max_tokens, 100 + Math.floor(Math.random() * 500)),
    };
    billed.calls += 1;
    billed.cost += (usage.input * price.input + usage.output * price.output) / 1e6;
    return { text: 'some words', usage, delay_ms: 300 + Math.random() * 600 };
  };
  let kills = 0;
  const answers = new Map<number, number>();
  const body = JSON.stringify({ model: `agent:${agent.id}`, messages: [{ role: 'user', content: 'Hello' }] });
  const client = async (number: number): Promise<void> => {
    for (let refusals = 0; refusals < 2; number++) {
      // Half of the budget is left for what comes after the second kill, however long the starts take.
      while (kills < 2 && billed.cost > max_cost / 2) await sleep(50);
      const { address } = running[number % nodes] as { address: string };
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const status = await fetch(`${address}/v1/chat/completions`, { method: 'POST', headers, body }).then(
        (answer) => answer.text().then(() => answer.status),
        () => 0,
      );
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (status === 409) refusals++;
      if (status === 0 || status >= 500) await sleep(50);
    }
  };
  let going = clients;
  const all = Promise.all(Array.from({ length: clients }, (_, number) => client(number).finally(() => going--)));
  for (; going === clients && kills < mostKills; kills++) {
    await sleep(300 + Math.random() * 1000);
    const node = kills % nodes;
    await running[node]?.server.kill();
    running[node] = await start(node);
  }
  await all;
  const { used, reserved, over, state } = await api('GET', `/v1/admin/budgets/${budget.id}`);
  const told = `billed ${billed.cost.toFixed(6)} of ${max_cost} in ${billed.calls} calls; used ${used.cost}, reserved ${reserved.cost}`;
  t.diagnostic(`${told}; ${kills} kills; answers ${JSON.stringify([...answers])}`);
  assert.ok(kills >= 2, `${kills} kills`);
  assert.ok(billed.cost <= max_cost, told);
  assert.ok(billed.cost <= used.cost + reserved.cost + 1e-9, `what was billed is counted: ${told}`);
  assert.ok(used.cost + reserved.cost <= max_cost, told);
  assert.deepEqual([over.cost, over.tokens], [0, 0]);
  // What calls of a killed node still hold comes back: until then the budget is refused, but not reached.
  assert.equal(state, reserved.cost > 0 && used.cost < max_cost && state === 'warned' ? 'warned' : 'reached', told);
  assert.ok(billed.cost > max_cost / 4, `much was left: ${told}`);
});
