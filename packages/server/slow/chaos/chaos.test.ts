// Alone on the machine: three nodes and PostgreSQL work at once, and it measures how long no write is acknowledged.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRandom } from '../../test/support/seeded-random.ts';
import { makeChaosNodes } from './chaos-nodes.ts';
import { approvals, chats } from './clients/chats.ts';
import { documents } from './clients/documents.ts';
import { files } from './clients/files.ts';
import { orders } from './clients/orders.ts';
import { rows } from './clients/rows.ts';
import { schedules } from './clients/schedules.ts';
import { spending } from './clients/spending.ts';
import { letFaultsHappen } from './faults.ts';
import { describeFailure } from './report.ts';

const seconds = Number(process.env['CHAOS_SECONDS'] ?? 60);
const seed = Number(process.env['CHAOS_SEED'] ?? randomInt(2 ** 30));
/** Only these kinds, with commas between; without, all. */
const kinds = process.env['CHAOS_FAULTS']?.split(',');
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
      // One that hangs says nothing about the others.
      const signal = AbortSignal.timeout(2000);
      const answer = await chaos.ask('POST', '/v1/agents', { name: 'probe' }, {}, signal);
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

/** Waits until every node says that it is ready, half a minute at most; the milliseconds that took. */
async function recovery(): Promise<number> {
  const since = Date.now();
  for (const { address } of chaos.nodes)
    for (; Date.now() < since + 30_000; await sleep(50)) {
      const answer = await fetch(`${address}/ready`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
      if (answer?.status === 200) break;
    }
  return Date.now() - since;
}

test(`nothing acknowledged is lost and nothing happens twice in ${seconds} s of faults (CHAOS_SEED=${seed} repeats their order)`, {
  // Everything that was acknowledged is read at the end, which takes longer the longer faults happened.
  timeout: (seconds * 1.3 + 240) * 1000,
}, async (t) => {
  const clients = [chats(chaos), chats(chaos), approvals(chaos), files(chaos)];
  const made = [rows(chaos), orders(chaos), documents(chaos), schedules(chaos), spending(chaos)];
  clients.push(...(await Promise.all(made)));
  after(() => {
    for (const { close } of clients) close?.();
  });
  const faults: string[] = [];
  let going = true;
  const working = clients.map(async ({ work }, index) => {
    for (let number = index * 100_000; going; number++) await work(number);
  });
  const failed = Promise.all(working);
  failed.catch(() => {});
  const stopProbe = probe();
  const plan = { seconds, random: makeRandom(seed), kinds, note: (text: string) => void faults.push(text) };
  const happening = letFaultsHappen(chaos, { ...plan, goesOn: () => going });
  try {
    const happened = await Promise.race([happening, failed.then(() => ({}))]);
    for (const { server } of chaos.nodes) {
      const ends = [server.child.exitCode, server.child.signalCode];
      assert.deepEqual(ends, [null, null], `it ended by itself: ${server.output()}`);
    }
    const healed = Date.now();
    const recovered = await recovery();
    const longest = await stopProbe();
    going = false;
    await failed;
    const settled = Date.now() - healed;
    for (const { check } of clients) t.diagnostic(await check());
    t.diagnostic(JSON.stringify(happened));
    t.diagnostic(`nobody was answered for ${longest} ms at most`);
    t.diagnostic(`after the last fault all nodes were ready in ${recovered} ms and all work was over in ${settled} ms`);
    assert.ok(recovered < 10_000, `a node was not ready after ${recovered} ms`);
    assert.ok(longest < 10_000, `nobody was answered for ${longest} ms`);
  } catch (error) {
    console.error(`CHAOS_SEED=${seed}\n${await describeFailure(chaos, faults)}`);
    throw error;
  } finally {
    going = false;
    await Promise.allSettled([stopProbe(), happening]);
  }
});
