import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from '../packages/server/test/support/server-process.ts';
import { type Bench, type Figure, median } from './lib/figure.ts';
import { cpuMsOf, megabytesOf } from './lib/process-figures.ts';

const key = 'bench-admin-key-0123456789';
const readers = Number(process.env['BENCH_READERS'] ?? 1000);
const changes = 20;
const headers = { 'x-api-key': key, 'content-type': 'application/json' };

/** Streams that count the events of agents; `all` resolves when each has received one more about this record. */
function makeReaders(address: string) {
  let count = 0;
  let target = '';
  let received = Promise.withResolvers<void>();
  const open = () =>
    new Promise<void>((resolve, reject) => {
      const url = `${address}/v1/events?types=agent`;
      const request = get(url, { headers, agent: false }, (response) => {
        response.setEncoding('utf8').on('data', (text: string) => {
          if (text.includes('"ready"')) resolve();
          if (target && text.includes(target) && ++count === readers) received.resolve();
        });
      });
      request.on('error', reject);
    });
  return {
    open,
    expect(id: string) {
      [count, target, received] = [0, id, Promise.withResolvers<void>()];
      return received.promise;
    },
  };
}

async function measure(address: string, pid: number): Promise<Figure[]> {
  const change = (id: string, name: string) =>
    fetch(`${address}/v1/agents/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ name }) });
  const made = await fetch(`${address}/v1/agents`, { method: 'POST', headers, body: '{"name":"bench"}' });
  const { id } = (await made.json()) as { id: string };
  const before = megabytesOf(pid);
  const streams = makeReaders(address);
  for (let opened = 0; opened < readers; opened += 50) await Promise.all(Array.from({ length: 50 }, streams.open));
  await sleep(1000);
  const memory = megabytesOf(pid) - before;
  const idle = cpuMsOf(pid);
  await sleep(5000);
  const idleCpu = (cpuMsOf(pid) - idle) / 50;
  const times: number[] = [];
  const cpu = cpuMsOf(pid);
  for (let turn = 0; turn < changes; turn++) {
    const all = streams.expect(id);
    await change(id, `bench ${turn}`);
    const answered = performance.now();
    await all;
    times.push(performance.now() - answered);
  }
  const cpuPerChange = (cpuMsOf(pid) - cpu) / changes;
  const last = median(times);
  return [
    {
      ...{
        what: `From the answer to a change to the last of ${readers} readers, median`,
        value: `${last.toFixed(0)} ms`,
      },
      aim: { text: 'under 2,000 ms', met: last < 2000 },
    },
    { what: 'The slowest', value: `${Math.max(...times).toFixed(0)} ms` },
    { what: 'Processor time of the server for a change', value: `${cpuPerChange.toFixed(0)} ms` },
    { what: 'Memory of a reader', value: `${((memory * 1024) / readers).toFixed(0)} KB` },
    { what: 'Processor while nothing happens', value: `${idleCpu.toFixed(1)} % of a core` },
  ];
}

/** Live events: one workspace with many readers. */
export const events: Bench = {
  name: 'events',
  async run() {
    const dir = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
    const server = startProcess({ dir, env: { ATRIUM_ADMIN_KEY: key } });
    try {
      return await measure(await server.ready, server.pid);
    } finally {
      await server.killEverything();
      rmSync(dir, { recursive: true, force: true });
    }
  },
};
