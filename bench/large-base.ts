import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newId } from '../packages/server/src/lib/ids.ts';
import {
  databaseOf,
  postgresIn,
  type ServerProcess,
  startProcess,
} from '../packages/server/test/support/server-process.ts';
import type { Bench, Figure } from './lib/figure.ts';
import { cpuMsOf, megabytesOf } from './lib/process-figures.ts';

const key = 'bench-admin-key-0123456789';
const passages = Number(process.env['BENCH_PASSAGES'] ?? 200_000);
const [perDocument, folders, vocabulary, wordsIn] = [100, 100, 30_000, 100];
/** Data that is kept for the next time. */
const kept = process.env['BENCH_DIR'];
const [questions, warmUp] = [Number(process.env['BENCH_QUESTIONS'] ?? 500), 50];

async function api<T>(address: string, method: string, path: string, body?: object): Promise<T> {
  const form = body instanceof FormData;
  const response = await fetch(`${address}/v1/knowledge-bases${path}`, {
    method,
    headers: { 'x-api-key': key, ...(body && !form && { 'content-type': 'application/json' }) },
    ...(body && { body: form ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** The same every time. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
let random = makeRandom(7);

const syllables = 'ba de fi go lu ma ne pi ro su ta ve wi zo ka le mi no pu ra'.split(' ');
/** A word for a number: the less often used the longer. */
function wordFor(rank: number): string {
  let [word, left] = ['', rank + syllables.length];
  for (; left > 0; left = Math.floor(left / syllables.length)) word += syllables[left % syllables.length];
  return word;
}
const words = Array.from({ length: vocabulary }, (_, rank) => wordFor(rank));
/** As words are used: each about as often as one over its rank. */
const anyWord = () => words[Math.floor(vocabulary ** random()) - 1] ?? 'ba';
const text = () => Array.from({ length: wordsIn }, anyWord).join(' ');

/** Documents as training leaves them, put into the database; the index is then built by the program itself. */
async function fill(client: pg.Client, kb_id: string): Promise<void> {
  const { rows } = await client.query('select workspace_id from knowledge_bases where id = $1', [kb_id]);
  const { workspace_id } = rows[0] as { workspace_id: string };
  for (let document = 0; document * perDocument < passages; document++) {
    const [id, run] = [newId(), newId()];
    await client.query(
      `insert into kb_documents (workspace_id, kb_id, id, name, prefix, status, progress, source_type, language, live_run,
         current_run, indexed) values ($1, $2, $3, $4, $5, 'trained', 100, 'document', 'en', $6, $6, true)`,
      [workspace_id, kb_id, id, `document ${document}`, `/f/${document % folders}/`, run],
    );
    const texts = Array.from({ length: perDocument }, text);
    await client.query(
      `insert into kb_chunks (workspace_id, kb_id, document_id, run_id, id, position, content, start_at, end_at, headings)
       select $1, $2, $3, $4, x.id, x.position, x.content, 0, length(x.content), '{}'
       from unnest($5::uuid[], $6::int[], $7::text[]) as x (id, position, content)`,
      [workspace_id, kb_id, id, run, texts.map(() => newId()), texts.map((_, at) => at), texts],
    );
  }
}

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

/** Uploads one document and asks for its one word until it is found. */
async function untilFound(address: string, id: string, word: string): Promise<number> {
  const form = new FormData();
  form.append('files', new Blob([`${word} ${text()}`]), `${word}.txt`);
  const begun = performance.now();
  await api(address, 'POST', `/${id}/upload_train?prefix=/new`, form);
  for (;;) {
    const found = await api<unknown[]>(address, 'POST', `/${id}/search`, { query: word, prefix: '/new' });
    if (found.length) return performance.now() - begun;
    await sleep(10);
  }
}

const ask = (count: number) => Array.from({ length: count }, anyWord).join(' ');
/** Kinds of questions; a long one is a ticket or a mail. */
const kinds: Record<string, (turn: number) => { query: string; prefix?: string }> = {
  'a folder': (turn) => ({ query: ask(4), prefix: `/f/${turn % folders}` }),
  'all, 4 words': () => ({ query: ask(4) }),
  'all, 80 words': () => ({ query: ask(80) }),
  'all, 4 words, one subject': (turn) => ({ query: [...subject(turn % 20), anyWord()].join(' ') }),
};
const subjects = Array.from({ length: 20 }, () => [anyWord(), anyWord(), anyWord()]);
const subject = (number: number) => subjects[number] ?? [];

/** Times of a kind of question, and the processor time of the server and its database. */
async function measureQuestions(
  address: string,
  id: string,
  pids: readonly number[],
  question: (turn: number) => object,
) {
  const [times, cpu]: [number[], number[]] = [[], []];
  const spent = () => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  for (let turn = 0; turn < questions + warmUp; turn++) {
    const body = question(turn);
    const before = spent();
    const begun = performance.now();
    await api(address, 'POST', `/${id}/search`, body);
    const ended = performance.now();
    if (turn < warmUp) continue;
    times.push(ended - begun);
    cpu.push(spent() - before);
  }
  return { times, cpu };
}

/** Builds the index; answers how many milliseconds it took. */
async function buildIndex(server: ServerProcess, address: string, id: string): Promise<number> {
  const begun = performance.now();
  const [run] = await api<string[]>(address, 'POST', `/${id}/reindex`);
  for (;;) {
    const [state] = await api<{ status: string }[]>(address, 'GET', `/${id}/runs?run_ids=${run}`);
    if (state?.status === 'completed') break;
    if (state?.status === 'failed') throw new Error(`The index could not be built\n${server.output()}`);
    await sleep(200);
  }
  return performance.now() - begun;
}

/** Kept data ends with documents that were just added: their index is put in order first, beside which nothing is fast. */
async function untilReady(address: string, id: string): Promise<void> {
  while ((await api<{ status: string }>(address, 'GET', `/${id}`)).status === 'training') await sleep(200);
}

async function measure(server: ServerProcess, dir: string, client: pg.Client, address: string): Promise<Figure[]> {
  const known = (await client.query(`select id from knowledge_bases where name = 'bench'`)).rows[0] as { id: string };
  const { id } =
    known ?? (await api<{ id: string }>(address, 'POST', '', { name: 'bench', settings_: { auto_summary: false } }));
  if (!known) await fill(client, id);
  const built = known ? undefined : await buildIndex(server, address, id);
  await untilReady(address, id);
  // The questions are the same for kept data.
  random = makeRandom(8);
  const asked: Figure[] = [];
  for (const [kind, question] of Object.entries(kinds)) {
    const { times, cpu } = await measureQuestions(address, id, [server.pid, ...postgresIn(dir)], question);
    const [p50, p99, cpu50, cpu99] = [times, cpu].flatMap((values) => [
      percentile(values, 0.5),
      percentile(values, 0.99),
    ]) as [number, number, number, number];
    asked.push({
      what: `search of ${kind}, p50 / p99 (processor)`,
      value: `${p50.toFixed(1)} / ${p99.toFixed(1)} ms (${cpu50.toFixed(1)} / ${cpu99.toFixed(1)} ms)`,
      aim: { text: 'p99 under 50 ms', met: p99 < 50 },
    });
  }
  const visible: number[] = [];
  for (let at = 0; at < 10; at++) visible.push(await untilFound(address, id, `walnut${Date.now().toString(36)}${at}`));
  const slowest = Math.max(...visible);
  const memory = megabytesOf(server.pid);
  return [
    ...(built === undefined
      ? []
      : [{ what: `the index of ${passages} passages, built anew`, value: `${(built / 1000).toFixed(1)} s` }]),
    ...asked,
    {
      what: 'a new document is found, median / slowest of 10',
      value: `${percentile(visible, 0.5).toFixed(0)} / ${slowest.toFixed(0)} ms`,
      aim: { text: 'in 1 s', met: slowest < 1000 },
    },
    {
      what: 'memory of the process',
      value: `${memory.toFixed(0)} MB`,
      aim: { text: 'under 2 GB', met: memory < 2048 },
    },
  ];
}

export const largeBase: Bench = {
  name: 'large-base',
  async run() {
    const dir = kept ?? mkdtempSync(join(tmpdir(), 'atrium-bench-'));
    mkdirSync(dir, { recursive: true });
    const flags = process.env['BENCH_FLAGS']?.split(' ') ?? [];
    const server = startProcess({ dir, flags, env: { ATRIUM_ADMIN_KEY: key } });
    let client: pg.Client | undefined;
    try {
      const address = await server.ready;
      client = new pg.Client(databaseOf(dir));
      await client.connect();
      return await measure(server, dir, client, address);
    } finally {
      await client?.end();
      await server.stop();
      if (kept === undefined) rmSync(dir, { recursive: true, force: true });
    }
  },
};
