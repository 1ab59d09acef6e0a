import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApp } from '../packages/server/src/app.ts';
import { startEmbedded } from '../packages/server/src/db/embedded/start-embedded.ts';
import { makeLog } from '../packages/server/src/lib/log.ts';
import { openaiProvider } from '../packages/server/test/providers/openai-provider.ts';
import { adminKey, testConfig } from '../packages/server/test/support/test-config.ts';

/** Turns of conversations and files over HTTP with ATRIUM_ENCRYPT_AT_REST off and on: medians of rounds that take turns. */
const [rounds, turns, megabytes] = [7, 10, 32];
const dir = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'atrium-bench-encrypted-'));
const provider = await openaiProvider();
provider.answers = () => ({ text: 'The order is on its way and will arrive on Tuesday. '.repeat(20), deltas: 40 });
const database = await startEmbedded({ dir: join(dir, 'postgres') });
const account = {
  ...{ name: 'openai', provider: 'openai' as const, base_urls: [provider.url], api_key: 'k', models: ['blind'] },
  ...{ api_version: null, region: null, access_key_id: null, secret_access_key: null },
};
const start = async (encrypt_at_rest: boolean) => {
  const config = testConfig(dir, { providers: [account], encrypt_at_rest });
  const app = await makeApp(config, database.connection, makeLog('silent'));
  return { app, address: await app.server.listen({ host: '127.0.0.1', port: 0 }) };
};
const nodes = { off: await start(false), on: await start(true) };
const file = randomBytes(megabytes * 1_000_000);
const figures = new Map<string, number[]>();
const note = (what: string, figure: number) => figures.set(what, [...(figures.get(what) ?? []), figure]);

/** Seconds by the clock, and of processor time in this process: server, provider and client. */
async function measure(work: () => Promise<unknown>): Promise<{ seconds: number; cpu: number }> {
  const [began, used] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  return { seconds: (performance.now() - began) / 1000, cpu: (user + system) / 1e6 };
}

async function send(address: string, path: string, body: object | FormData): Promise<{ id: string }> {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': adminKey, ...(!isForm && { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${text}`);
  return path.endsWith('/stream') ? { id: '' } : JSON.parse(text);
}

try {
  for (let round = 0; round < rounds; round++)
    for (const [name, { address }] of Object.entries(nodes)) {
      const settings = { model: ['blind'], pii_anonimization: [], top_k: 0 };
      const { id } = await send(address, '/v1/conversations', { name: 'bench', settings });
      const turn = () => send(address, `/v1/conversations/${id}/stream`, { content: 'Where is my order?' });
      await turn();
      const told = await measure(async () => {
        for (let count = 0; count < turns; count++) await turn();
      });
      note(`${name}: turn, ms`, (told.seconds / turns) * 1000);
      note(`${name}: turn, ms of processor time`, (told.cpu / turns) * 1000);
      const form = new FormData();
      form.set('file', new Blob([file]), 'bench.bin');
      let stored = { id: '' };
      const put = await measure(async () => {
        stored = await send(address, '/v1/files', form);
      });
      note(`${name}: upload, MB/s`, megabytes / put.seconds);
      const got = await measure(async () => {
        const answer = await fetch(`${address}/v1/files/${stored.id}`, { headers: { 'x-api-key': adminKey } });
        if ((await answer.arrayBuffer()).byteLength !== file.length) throw new Error('The file is not whole');
      });
      note(`${name}: download, MB/s`, megabytes / got.seconds);
    }
  for (const [what, all] of [...figures].sort()) {
    const sorted = all.toSorted((a, b) => a - b);
    const [least, middle, most] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    process.stdout.write(`${what}: ${middle?.toFixed(1)} (${least?.toFixed(1)}–${most?.toFixed(1)})\n`);
  }
} finally {
  for (const { app } of Object.values(nodes)) {
    app.server.server.closeAllConnections();
    await app.close();
  }
  await provider.close();
  await database.stop();
  rmSync(dir, { recursive: true, force: true });
}
