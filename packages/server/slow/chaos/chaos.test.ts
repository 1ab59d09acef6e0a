// Alone on the machine: three nodes and PostgreSQL work at once, and it measures how long nobody is answered.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeChaosNodes } from './chaos-nodes.ts';
import { approvals, chats, documents, orders, rows } from './clients.ts';
import { letFaultsHappen, makeRandom } from './faults.ts';

const seconds = Number(process.env['CHAOS_SECONDS'] ?? 60);
const seed = Number(process.env['CHAOS_SEED'] ?? randomInt(2 ** 30));
const chaos = await makeChaosNodes();
after(() => chaos.close());

/** Writes all the time; the longest time in which no write was acknowledged. */
function probe() {
  let going = true;
  let last = Date.now();
  let longest = 0;
  const acknowledged = () => {
    longest = Math.max(longest, Date.now() - last);
    last = Date.now();
  };
  const client = async () => {
    while (going) {
      const answer = await chaos.ask('POST', '/v1/agents', { name: 'probe' });
      if (answer?.status === 200) acknowledged();
      await sleep(50);
    }
  };
  const clients = Array.from({ length: 4 }, client);
  return async () => {
    going = false;
    await Promise.all(clients);
    return longest;
  };
}

test(`nothing acknowledged is lost and nothing happens twice in ${seconds} s of faults (CHAOS_SEED=${seed} repeats their order)`, {
  timeout: (seconds + 240) * 1000,
}, async (t) => {
  const clients = [chats(chaos), chats(chaos), approvals(chaos)];
  clients.push(...(await Promise.all([rows(chaos), orders(chaos), documents(chaos)])));
  after(() => {
    for (const { close } of clients) close?.();
  });
  let going = true;
  const working = clients.map(async ({ work }, index) => {
    for (let number = index * 100_000; going; number++) await work(number);
  });
  const failed = Promise.all(working);
  failed.catch(() => {});
  const stopProbe = probe();
  const happened = await Promise.race([letFaultsHappen(chaos, seconds, makeRandom(seed)), failed.then(() => ({}))]);
  const longest = await stopProbe();
  going = false;
  const healed = Date.now();
  await failed;
  const settled = Date.now() - healed;
  for (const { check } of clients) t.diagnostic(await check());
  t.diagnostic(JSON.stringify(happened));
  t.diagnostic(`nobody was answered for ${longest} ms at most; all work was over ${settled} ms after the last fault`);
  assert.ok(longest < 10_000, `nobody was answered for ${longest} ms`);
});
