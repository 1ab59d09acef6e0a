// By hand: OPEN_STREAMS=1000 OPEN_STREAM_SECONDS=600 npm run test:streams
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openaiProvider } from '../test/providers/openai-provider.ts';
import { inspectorFlag, type Memory, openInspector } from '../test/support/process-inspector.ts';
import { framesOf, openStream } from '../test/support/resuming-client.ts';
import { startProcess } from '../test/support/server-process.ts';
import { adminKey as key } from '../test/support/test-config.ts';
import { makeDatabase } from '../test/support/test-database.ts';

const streams = Number(process.env['OPEN_STREAMS'] ?? 200);
const seconds = Number(process.env['OPEN_STREAM_SECONDS'] ?? 50);
/** Long answers, so that opening streams is a small part of the load; a word of each comes every second, or less often where there are more than 200. */
const [answerSeconds, gapSeconds] = [Math.max(24, seconds / 10), Math.max(1, streams / 200)];
const words = Array.from({ length: Math.ceil(answerSeconds / gapSeconds) }, (_, number) => `word${number} `.padEnd(8));

const dir = mkdtempSync(join(tmpdir(), 'atrium-streams-'));
const { connection, drop } = await makeDatabase();
const { host, port, user, password, database } = connection;
const provider = await openaiProvider();
provider.answers = () => ({ text: words.join(''), deltas: words.length, chunk_delay_ms: gapSeconds * 1000 });
const server = startProcess({
  dir,
  // The first as `npm start` has it.
  flags: ['--max-semi-space-size=8', inspectorFlag],
  env: {
    ...{
      ATRIUM_ADMIN_KEY: key,
      ATRIUM_SECRET_KEY: 'test-secret-key-0123456789abcdef0123456789',
      ATRIUM_TAGGER: 'words',
    },
    ...{ OPENAI_BASE_URL: provider.url, OPENAI_MODELS: 'one', ATRIUM_DRAIN_SECONDS: '0' },
    ...{ ATRIUM_MAX_RUNS: String(2 * streams), ATRIUM_MAX_RUNS_PER_WORKSPACE: String(2 * streams) },
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`,
  },
});
after(async () => {
  await server.kill();
  await provider.close();
  await drop();
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
});

/** The memory of the process in MB. */
const memoryOf = (pid: number) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const total = ({ heap, external }: Memory) => heap + external;
const shown = (values: readonly number[]) => values.map((value) => value.toFixed(1)).join(', ');

/**
 * In MB. Without streams, what is held grew by 0.4 MB at most from one measure to the next, with 240 to 600 answers between
 * them. A process that kept every event of its runs held 2.3 MB more after 548 answers.
 */
const mostGrowth = 1.5;
/** How often what the process holds is measured while streams are open. A collection stops the process for a second. */
const measures = 4;

test(`${streams} open streams for ${seconds} s bring no error, and memory is flat in the last half`, {
  timeout: (3 * seconds + 12 * answerSeconds + 240) * 1000,
}, async (t) => {
  const address = await server.ready;
  const inspector = await openInspector(server);
  t.after(() => inspector.close());
  // Connections that are kept for the next request would be measured too.
  const headers = { 'x-api-key': key, 'content-type': 'application/json', connection: 'close' };
  let [going, open, answers] = [true, 0, 0];
  const errors: string[] = [];

  async function converse(): Promise<void> {
    const body = JSON.stringify({ name: 'Open', settings: { model: ['openai/one'], timeout: 300 } });
    const made = await fetch(`${address}/v1/conversations`, { method: 'POST', headers, body });
    const { id } = (await made.json()) as { id: string };
    assert.equal(made.status, 200);
    const path = `/v1/conversations/${id}/stream?format=ui`;
    const stream = await openStream({ address, path, key, body: { content: 'Say something' } });
    assert.equal(stream.statusCode, 200);
    open++;
    const frames = await Array.fromAsync(framesOf(stream)).finally(() => open--);
    const text = frames.map((frame) => /"type":"text-delta".*?"delta":"([^"]*)"/.exec(frame)?.[1] ?? '').join('');
    assert.equal(text.trim(), words.join('').trim());
    assert.match(frames.at(-1) ?? '', /\[DONE\]/);
    answers++;
  }

  /** Starts the clients one after another, within the time of an answer; each goes on until `going` is false. */
  const startClients = () =>
    Array.from({ length: streams }, async (_, number) => {
      await sleep((number / streams) * answerSeconds * 1000);
      do await converse().catch((error) => errors.push(String(error)));
      while (going);
    });

  /** What the process holds when no stream is open. What has just ended is released within a moment. */
  async function measureIdle(): Promise<{ held: number; answers: number }> {
    await sleep(3000);
    await inspector.heldMemory();
    return { held: total(await inspector.heldMemory()), answers };
  }

  // One answer of each client fills caches and compiles code.
  going = false;
  await Promise.all(startClients());
  const warm = await measureIdle();

  going = true;
  const clients = startClients();
  await sleep(answerSeconds * 1000);
  const samples: { memory: number; open: number }[] = [];
  const held: number[] = [];
  const began = Date.now();
  for (; Date.now() < began + seconds * 1000; await sleep(500)) {
    samples.push({ memory: memoryOf(server.pid), open });
    if (Date.now() - began >= (held.length * seconds * 1000) / measures) held.push(total(await inspector.heldMemory()));
  }
  going = false;
  await Promise.all(clients);
  const end = await measureIdle();

  const quarters = <T>(values: readonly T[]) =>
    [0, 1, 2, 3].map((at) => values.slice((at * values.length) / 4, ((at + 1) * values.length) / 4));
  const memory = quarters(samples.map((sample) => sample.memory)).map(median);
  const heldOpen = quarters(held).map(median);
  const opened = median(samples.map((sample) => sample.open));
  t.diagnostic(`${answers} answers, ${opened} streams open; MB of the process by quarters: ${shown(memory)}`);
  t.diagnostic(`MB held after collections, with streams: ${shown(heldOpen)}; without: ${shown([warm.held, end.held])}`);
  assert.deepEqual(errors.slice(0, 3), []);
  assert.doesNotMatch(server.output(), /"level":"error"/, 'the log has no errors');
  assert.ok(opened >= 0.9 * streams, `${opened} streams were open`);
  const growth = end.held - warm.held;
  assert.ok(
    growth <= mostGrowth,
    `${growth.toFixed(1)} MB more are held after ${end.answers - warm.answers} more answers`,
  );
  // How many streams are open at a measure differs, and the allocator gives memory back late.
  const [, , third = 0, last = 0] = heldOpen;
  assert.ok(last <= 1.05 * third + 10, `what is held grew from ${third} to ${last} MB`);
  // In less time the process itself still grows into what it needs.
  if (seconds < 300) return;
  const [, , thirdMemory = 0, lastMemory = 0] = memory;
  assert.ok(lastMemory <= 1.05 * thirdMemory + 10, `the process grew from ${thirdMemory} to ${lastMemory} MB`);
});
