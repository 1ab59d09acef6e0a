import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { measures } from '../packages/server/src/features/knowledge-bases/search/evaluate-search.ts';
import { type ServerProcess, startProcess } from '../packages/server/test/support/server-process.ts';
import { type Figure, printTable } from './lib/figure.ts';
import { megabytesOf } from './lib/process-figures.ts';

const key = 'bench-admin-key-0123456789';
const filesInForm = 100;
const [dir, ...options] = process.argv.slice(2);
/** `--split`: texts are cut into passages, as a new knowledge base does it. Otherwise each text is one passage. */
const split = options.includes('--split');
/** With it, and what its provider needs in the environment, its vectors are measured instead of learned ones. */
const embedding_model = process.env['ATRIUM_EMBEDDING_MODEL'];
const providers = /^(?:ATRIUM_EMBEDDING_MODEL|(?:OPENAI|GOOGLE|MISTRAL|AZURE|BEDROCK|AWS)_\w+)$/;

interface Text {
  _id: string;
  title?: string;
  text: string;
}

const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').filter(Boolean);

/** A folder in the shape of BEIR: corpus.jsonl, queries.jsonl and qrels.tsv. */
function collection(dir: string) {
  const corpus = linesOf(join(dir, 'corpus.jsonl')).map((line) => JSON.parse(line) as Text);
  const queries = linesOf(join(dir, 'queries.jsonl')).map((line) => JSON.parse(line) as Text);
  const right = new Map<string, Set<string>>();
  for (const line of linesOf(join(dir, 'qrels.tsv'))) {
    const [query = '', document = '', score] = line.split('\t');
    if (Number(score) > 0) right.set(query, (right.get(query) ?? new Set()).add(document));
  }
  return { corpus, questions: queries.filter(({ _id }) => right.has(_id)), right };
}

async function api<T>(address: string, method: string, path: string, body?: object): Promise<T> {
  const form = body instanceof FormData;
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { 'x-api-key': key, ...(body && !form && { 'content-type': 'application/json' }) },
    ...(body && { body: form ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

async function ingest(address: string, id: string, corpus: readonly Text[]) {
  const begun = performance.now();
  for (let at = 0; at < corpus.length; at += filesInForm) {
    const form = new FormData();
    for (const { _id, title = '', text } of corpus.slice(at, at + filesInForm))
      form.append('files', new Blob([`${title}\n\n${text}`]), `${_id}.txt`);
    await api(address, 'POST', `/v1/knowledge-bases/${id}/upload_train`, form);
  }
  const sent = performance.now() - begun;
  for (;;) {
    const base = await api<{ training_documents: number }>(address, 'GET', `/v1/knowledge-bases/${id}`);
    if (base.training_documents === 0) break;
    await sleep(100);
  }
  return { sent, all: performance.now() - begun };
}

/** A knowledge base is ready when its index is in order and its search model is learned. */
async function untilReady(address: string, id: string): Promise<void> {
  for (;;) {
    const { status } = await api<{ status: string }>(address, 'GET', `/v1/knowledge-bases/${id}`);
    if (status === 'ready') return;
    if (status === 'error') throw new Error('No document could be trained');
    await sleep(200);
  }
}

type Right = ReadonlyMap<string, ReadonlySet<string>>;

async function asked(address: string, id: string, questions: readonly Text[], right: Right) {
  const results: ReturnType<typeof measures>[] = [];
  const times: number[] = [];
  for (const { _id, text } of questions) {
    const begun = performance.now();
    const hits = await api<{ document_source: { name: string } }[]>(
      address,
      'POST',
      `/v1/knowledge-bases/${id}/search`,
      { query: text, top_k: 25 },
    );
    times.push(performance.now() - begun);
    const found = [...new Set(hits.map(({ document_source }) => document_source.name.replace(/\.txt$/, '')))];
    results.push(measures(found, right.get(_id) as Set<string>, 25));
  }
  const mean = (of: (one: ReturnType<typeof measures>) => number) =>
    results.reduce((sum, one) => sum + of(one), 0) / results.length;
  return { ndcg: mean((one) => one.ndcg_at_10), recall: mean((one) => one.recall_at_k), times };
}

const methodFigures = (method: string, { ndcg, recall }: Awaited<ReturnType<typeof asked>>, aims: [number, number]) => [
  {
    what: `nDCG@10, ${method}`,
    value: ndcg.toFixed(4),
    aim: { text: `at least ${aims[0]}`, met: ndcg >= aims[0] },
  },
  {
    what: `recall@25, ${method}`,
    value: recall.toFixed(4),
    aim: { text: `at least ${aims[1]}`, met: recall >= aims[1] },
  },
];

async function measure(server: ServerProcess, dir: string): Promise<Figure[]> {
  const address = await server.ready;
  const { corpus, questions, right } = collection(dir);
  const settings_ = split ? {} : { text_chunking_enabled: false, auto_summary: false };
  const { id } = await api<{ id: string }>(address, 'POST', '/v1/knowledge-bases', { name: 'bench', settings_ });
  const { sent, all } = await ingest(address, id, corpus);
  const rate = corpus.length / (all / 1000);
  const begun = performance.now();
  await untilReady(address, id);
  const learned = performance.now() - begun;
  const trial = (settings: object) =>
    api(address, 'PATCH', `/v1/knowledge-bases/${id}`, { settings_: settings }).then(() =>
      asked(address, id, questions, right),
    );
  const hybrid = await trial({});
  const words = await trial({ retrieval_method: 'full_text' });
  const meaning = await trial({ retrieval_method: 'semantic' });
  const ranks = await trial({ retrieval_method: 'hybrid_bm25', fusion: 'rrf' });
  const vectors = embedding_model ?? 'learned vectors';
  return [
    ...methodFigures(`words and ${vectors} (the default)`, hybrid, [0.7, 0.88]),
    ...methodFigures('full text', words, [0.675, 0.87]),
    {
      what: `nDCG@10 / recall@25, ${vectors} alone`,
      value: `${meaning.ndcg.toFixed(4)} / ${meaning.recall.toFixed(4)}`,
    },
    { what: 'nDCG@10 / recall@25, both by rank (rrf)', value: `${ranks.ndcg.toFixed(4)} / ${ranks.recall.toFixed(4)}` },
    {
      what: `documents a second (${corpus.length}, uploads included)`,
      value: rate.toFixed(0),
      aim: { text: 'at least 200', met: rate >= 200 },
    },
    { what: 'of which uploading', value: `${(sent / 1000).toFixed(1)} s of ${(all / 1000).toFixed(1)} s` },
    { what: 'from then until it is ready, learning included', value: `${(learned / 1000).toFixed(1)} s` },
    {
      what: 'search by HTTP, p50 / p99 (the default)',
      value: `${percentile(hybrid.times, 0.5).toFixed(1)} / ${percentile(hybrid.times, 0.99).toFixed(1)} ms`,
    },
    {
      what: 'search by HTTP, p50 / p99 (full text)',
      value: `${percentile(words.times, 0.5).toFixed(1)} / ${percentile(words.times, 0.99).toFixed(1)} ms`,
    },
    { what: 'memory of the process', value: `${megabytesOf(server.pid).toFixed(0)} MB` },
  ];
}

if (dir === undefined) {
  process.stderr.write('Name a folder with corpus.jsonl, queries.jsonl and qrels.tsv.\n');
  process.exit(1);
}
const handedOn = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => (value && providers.test(name) ? [[name, value]] : [])),
);
const data = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
const flags = process.env['BENCH_FLAGS']?.split(' ') ?? [];
const server = startProcess({ dir: data, flags, env: { ATRIUM_ADMIN_KEY: key, ...handedOn } });
try {
  printTable(`retrieval on ${dir}, ${split ? 'texts cut into passages' : 'whole texts'}`, await measure(server, dir));
} finally {
  await server.stop();
  rmSync(data, { recursive: true, force: true });
}
