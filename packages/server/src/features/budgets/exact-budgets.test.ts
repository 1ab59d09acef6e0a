import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { makeLog } from '../../lib/log.ts';
import { simulatedClock } from '../triggers/testing.ts';
import { makeCallBudgets } from './call-budgets.ts';
import { budgetJobs } from './jobs.ts';
import { budgetApp, price } from './testing.ts';

const time = simulatedClock(Date.UTC(2026, 0, 31, 22, 30));
const app = await budgetApp({ db_pool: 10 }, { clock: time.clock });

test('keeps many calls at once within two budgets, each of which alone would allow more', async () => {
  const { budget, complete, look, server, agent_id } = await app.place({ max_tokens: 300 });
  const money = await budget({ max_cost: 0.05 });
  const tokens = await budget({ max_tokens: 20_000, agent_id });
  const asked = { tokens: 0, cost: 0 };
  server.answers = ({ max_tokens }) => {
    const usage = { input: 400, output: Math.min(max_tokens, 200) };
    asked.tokens += usage.input + usage.output;
    asked.cost += (usage.input * price.input + usage.output * price.output) / 1e6;
    return { text: 'x', finish: max_tokens < 200 ? 'length' : 'stop', usage, delay_ms: 5 };
  };
  const statuses = new Map<number, number>();
  const client = async () => {
    for (;;) {
      const { status } = await complete();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status !== 200) return;
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  assert.deepEqual([...statuses.keys()].sort(), [200, 409]);
  const [first, second] = [await look(money.id), await look(tokens.id)];
  assert.ok(asked.cost <= 0.05 && asked.tokens <= 20_000, JSON.stringify(asked));
  assert.ok(asked.cost > 0.04, `much was left: ${asked.cost}`);
  assert.deepEqual([first.used.tokens, second.used.tokens], [asked.tokens, asked.tokens]);
  assert.equal(first.used.cost, Number(asked.cost.toFixed(9)));
  assert.deepEqual([first.reserved.tokens, second.reserved.tokens, first.over.tokens], [0, 0, 0]);
});

test('begins anew at midnight and on the first of a month in the time zone of the budget', async () => {
  const { budget, complete, look } = await app.place();
  time.set(Date.UTC(2026, 0, 31, 22, 30));
  const berlin = await budget({ max_tokens: 1_000_000, time_zone: 'Europe/Berlin' });
  const utc = await budget({ max_tokens: 1_000_000 });
  const day = await budget({ max_tokens: 1_000_000, period: 'day', time_zone: 'America/New_York' });
  assert.deepEqual([berlin.period_start, berlin.period_end], ['2025-12-31T23:00:00.000Z', '2026-01-31T23:00:00.000Z']);
  assert.deepEqual([day.period_start, day.period_end], ['2026-01-31T05:00:00.000Z', '2026-02-01T05:00:00.000Z']);
  const used = async () => Promise.all([berlin, utc, day].map(async ({ id }) => (await look(id)).used.tokens / 18));
  await complete();
  assert.deepEqual(await used(), [1, 1, 1]);
  time.set(Date.UTC(2026, 0, 31, 23, 30));
  assert.deepEqual(await used(), [0, 1, 1]);
  await complete();
  assert.deepEqual(await used(), [1, 2, 2]);
  time.set(Date.UTC(2026, 1, 1, 0, 30));
  assert.deepEqual(await used(), [1, 0, 2]);
  time.set(Date.UTC(2026, 1, 1, 5, 0));
  assert.deepEqual(await used(), [1, 0, 0]);
  await complete();
  // The clock of New York goes forward on the 8th of March: that day has 23 hours.
  time.set(Date.UTC(2026, 2, 8, 12));
  const { period_start, period_end } = await look(day.id);
  assert.deepEqual([period_start, period_end], ['2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z']);
});

test('settles a call in the period that it began in', async () => {
  const { budget, complete, look, server } = await app.place();
  time.set(Date.UTC(2026, 5, 30, 23, 59));
  const { id } = await budget({ max_tokens: 1_000_000, period: 'day' });
  const held = Promise.withResolvers<void>();
  server.reply({ text: 'x', after: held.promise });
  const begun = complete();
  await until('it is asked', () => server.requests.length === 1);
  time.set(Date.UTC(2026, 6, 1, 0, 1));
  held.resolve();
  assert.equal((await begun).status, 200);
  assert.equal((await look(id)).used.tokens, 0);
  time.set(Date.UTC(2026, 5, 30, 23, 59));
  assert.equal((await look(id)).used.tokens, 18);
});

test('refuses the next call of a run when its budget is lowered meanwhile', async () => {
  const { budget, complete, server, ok } = await app.place({ tools: [{ type: 'clock' }] });
  const { id } = await budget({ max_tokens: 1_000_000 });
  const held = Promise.withResolvers<void>();
  server.reply({ tool_calls: [{ name: 'clock_now', input: {} }], after: held.promise });
  const begun = complete();
  await until('it is asked', () => server.requests.length === 1);
  await ok('PATCH', `/v1/admin/budgets/${id}`, { max_tokens: 10 });
  held.resolve();
  const { status, json } = await begun;
  assert.deepEqual([status, json.error?.code ?? json.code, server.requests.length], [409, 'budget_reached', 1]);
});

test('lets a call go on whose budget is deleted meanwhile', async () => {
  const { budget, complete, server, ok } = await app.place();
  const { id } = await budget({ max_tokens: 100_000 });
  const held = Promise.withResolvers<void>();
  server.reply({ text: 'x', after: held.promise });
  const begun = complete();
  await until('it is asked', () => server.requests.length === 1);
  await ok('DELETE', `/v1/admin/budgets/${id}`);
  held.resolve();
  assert.equal((await begun).status, 200);
});

test('waits for room that other calls hold instead of refusing', async () => {
  const { budget, complete, server, look } = await app.place({ max_tokens: 100 });
  const { id } = await budget({ max_tokens: 4000 });
  const held = Promise.withResolvers<void>();
  server.reply({ text: 'x', after: held.promise });
  const first = complete();
  await until('it is asked', () => server.requests.length === 1);
  const { reserved } = await look(id);
  assert.ok(reserved.tokens > 2000, `the test needs a larger request: ${reserved.tokens}`);
  const second = complete();
  held.resolve();
  assert.deepEqual([(await first).status, (await second).status], [200, 200]);
});

test('counts the reservations of a process that died as used, once', async () => {
  const { budget, look } = await app.place();
  const { id } = await budget({ max_tokens: 1000 });
  const day = (await look(id)).period_start.slice(0, 10);
  const reserved = `select * from reserve_budgets($1, $2, array[$3::uuid], array[$4::date], 100, 50, 16, 1, 1, false)`;
  const [hold, node] = [crypto.randomUUID(), crypto.randomUUID()];
  const [{ granted }] = await app.query(reserved, [hold, node, id, day]);
  assert.deepEqual([Number(granted), (await look(id)).reserved.tokens], [50, 150]);
  const [{ database }] = await app.query('select current_database() as database');
  const log = makeLog('silent');
  const db = openDatabase({ connection: { ...testServer(), database }, max: 1, log });
  const [sweep] = budgetJobs({ db });
  for (let round = 0; round < 2; round++) {
    await sweep?.handler({ log, signal: AbortSignal.timeout(60_000) }, {});
    const { used, reserved: rest } = await look(id);
    assert.deepEqual([used.tokens, rest.tokens], [150, 0]);
  }
  await app.query('select * from settle_budgets($1, 120, 0)', [hold]);
  assert.equal((await look(id)).used.tokens, 150, 'a process that was only slow settles nothing more');
  await db.close();
});

test('reads the budgets once and asks nothing more while there are none', async () => {
  let statements = 0;
  const rows = async () => {
    statements++;
    return [];
  };
  const notifier = { on() {}, onMissed() {}, isListening: true } as unknown as Notifier;
  const db = { rows, row: rows, one: rows, run: rows } as unknown as Database;
  const budgets = makeCallBudgets({ db, notifier, log: makeLog('silent'), clock: time.clock });
  const caller = { tenant_id: 't', workspace_id: 'w' };
  const need = { caller, context: undefined, input_tokens: 1, max_tokens: 1, price: null };
  for (let call = 0; call < 3; call++) {
    await budgets.requireRoom(caller, () => assert.fail('the agent is not looked up'));
    assert.equal(await budgets.reserve(need, AbortSignal.timeout(1000)), undefined);
  }
  await budgets.close();
  assert.equal(statements, 1);
});
