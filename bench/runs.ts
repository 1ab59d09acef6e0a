import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from '../packages/server/test/support/server-process.ts';
import { startBeside } from './lib/beside.ts';
import { type Bench, type Figure, median } from './lib/figure.ts';
import { cpuMsOf, megabytesOf } from './lib/process-figures.ts';

const key = 'bench-admin-key-0123456789';
const headers = { 'x-api-key': key, 'content-type': 'application/json' };
const at_once = 16;
const words = 100;
const rounds = Number(process.env['BENCH_SLICES'] ?? 6);
const perRound = Number(process.env['BENCH_CONVERSATIONS'] ?? 400);
const idle = 500;

const program = (name: string) => new URL(`./lib/${name}.ts`, import.meta.url).pathname;

interface Alone {
  cpu_us: number;
  first_ms: number;
}

async function providerAlone(url: string, words: number, replies: number): Promise<Alone> {
  const env = { PROVIDER_URL: url, PROVIDER_WORDS: String(words), PROVIDER_REPLIES: String(replies) };
  const { line, stop } = await startBeside(program('provider-alone'), env);
  await stop();
  return JSON.parse(line) as Alone;
}

/** Talks to the server over a few connections that stay open, with as little work of its own as can be. */
function makeClient(address: string) {
  // Each open stream holds one: with a limit the last ones would wait until a run times out.
  const agent = new Agent({ keepAlive: true });
  async function ask(path: string, body?: object): Promise<IncomingMessage> {
    const sent = httpRequest(`${address}${path}`, { agent, method: body ? 'POST' : 'GET', headers });
    sent.end(body && JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${await textOf(response)}`);
    return response;
  }
  const create = async () => {
    const settings = { model: ['openai/fast'], pii_anonimization: [] };
    return (JSON.parse(await textOf(await ask('/v1/conversations', { name: 'bench', settings }))) as { id: string }).id;
  };
  const say = (id: string, content: string) => ask(`/v1/conversations/${id}/stream?format=ui`, { content });

  return {
    close: () => agent.destroy(),
    create,
    say,
    watch: (id: string) => ask(`/v1/conversations/${id}/events?format=ui&after=0`),
    /** A conversation from its creation to the end of its first answer. */
    async converse(words: number): Promise<void> {
      const stream = await textOf(await say(await create(), `${words} words`));
      if (!stream.includes('[DONE]')) throw new Error(`The stream was cut off: ${stream.slice(-500)}`);
    },
    /** From the question to the first word of the answer; the rest is read too. */
    async firstWord(): Promise<number> {
      const id = await create();
      const begun = performance.now();
      let first = 0;
      for await (const chunk of (await say(id, `${words} words after a pause`)).setEncoding('utf8'))
        if (String(chunk).includes('"text-delta"')) first ||= performance.now() - begun;
      return first;
    },
  };
}

type Client = ReturnType<typeof makeClient>;

async function many(count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: at_once }, worker));
}

/** Conversations a second, and the processor time of the server for each. */
async function load(client: Client, pid: number, words: number, count: number) {
  const [cpu, begun] = [cpuMsOf(pid), performance.now()];
  await many(count, () => client.converse(words));
  return {
    per_second: (count * 1000) / (performance.now() - begun),
    cpu_us: ((cpuMsOf(pid) - cpu) * 1000) / count,
  };
}

async function throughput(client: Client, pid: number, url: string): Promise<Figure[]> {
  await load(client, pid, words, perRound);
  const loads = [];
  for (let round = 0; round < rounds; round++) loads.push(await load(client, pid, words, perRound));
  const long = words + 1000;
  const longLoad = await load(client, pid, long, Math.ceil(perRound / 4));
  const [alone, longAlone] = [await providerAlone(url, words, 1000), await providerAlone(url, long, 100)];
  const first: number[] = [];
  for (let turn = 0; turn < 250; turn++) first.push(await client.firstWord());

  const per_second = median(loads.map((one) => one.per_second));
  const cpu_us = median(loads.map((one) => one.cpu_us));
  const added = cpu_us / words - alone.cpu_us;
  const further = (longLoad.cpu_us - cpu_us) / (long - words);
  const furtherAlone = (longAlone.cpu_us * long - alone.cpu_us * words) / (long - words);
  const first_ms = median(first.slice(50)) - alone.first_ms;
  return [
    {
      what: `Conversations of one answer, ${at_once} at a time`,
      value: `${per_second.toFixed(0)} a second`,
      aim: { text: 'at least 250', met: per_second >= 250 },
    },
    {
      what: 'Time to the first token over the provider alone, 1 at a time',
      value: `${first_ms.toFixed(1)} ms (provider ${alone.first_ms.toFixed(1)} ms)`,
      aim: { text: 'at most 5 ms', met: first_ms <= 5 },
    },
    {
      what: `Processor time per token over the provider's package, ${words} a reply`,
      value: `${added.toFixed(1)} µs (package ${alone.cpu_us.toFixed(1)} µs)`,
      aim: { text: 'at most 15 µs', met: added <= 15 },
    },
    {
      what: '  of a conversation, all in all',
      value: `${(cpu_us / 1000).toFixed(2)} ms`,
    },
    {
      what: '  of each further token',
      value: `${(further - furtherAlone).toFixed(1)} µs (package ${furtherAlone.toFixed(1)} µs)`,
    },
  ];
}

/** Of streams that all watch one run that says nothing, then of as many that are each of a run of its own. */
async function idleStreams(client: Client, pid: number): Promise<Figure[]> {
  const open: IncomingMessage[] = [];
  async function more(stream: () => Promise<IncomingMessage>): Promise<string> {
    await sleep(2000);
    const before = megabytesOf(pid);
    for (let made = 0; made < idle; made++) open.push((await stream()).on('error', () => {}).resume());
    await sleep(3000);
    return (megabytesOf(pid) - before).toFixed(0);
  }
  const held = await client.create();
  open.push((await client.say(held, 'hold')).on('error', () => {}).resume());
  const watching = await more(() => client.watch(held));
  const running = await more(async () => client.say(await client.create(), 'hold'));
  for (const stream of open) stream.destroy();
  return [
    {
      what: `Memory of ${idle} open idle streams`,
      value: `${watching} MB more`,
      aim: { text: 'under 100 MB more', met: Number(watching) < 100 },
    },
    { what: `  of ${idle} with a run each, in the middle of its answer`, value: `${running} MB more` },
  ];
}

/** Each on a server of its own: what a heap keeps of a load is not what idle streams hold. */
async function withServer<T>(url: string, work: (client: Client, pid: number) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
  const limits = { ATRIUM_MAX_RUNS: '1000', ATRIUM_MAX_RUNS_PER_WORKSPACE: '1000' };
  const env = { ATRIUM_ADMIN_KEY: key, OPENAI_BASE_URL: url, OPENAI_MODELS: 'fast', ...limits };
  const server = startProcess({ dir, flags: process.env['BENCH_FLAGS']?.split(' ') ?? [], env });
  try {
    const client = makeClient(await server.ready);
    try {
      return await work(client, server.pid);
    } finally {
      client.close();
    }
  } finally {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

export const runs: Bench = {
  name: 'runs',
  async run() {
    const provider = await startBeside(program('fast-provider'));
    try {
      const figures = await withServer(provider.line, (client, pid) => throughput(client, pid, provider.line));
      const memory = await withServer(provider.line, async (client, pid) => {
        await many(50, () => client.converse(words));
        return idleStreams(client, pid);
      });
      return [...figures, ...memory];
    } finally {
      await provider.stop();
    }
  },
};
