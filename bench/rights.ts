import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { measures } from '../packages/server/src/features/knowledge-bases/search/evaluate-search.ts';
import { type ServerProcess, startProcess } from '../packages/server/test/support/server-process.ts';
import { type Figure, printTable } from './lib/figure.ts';

/**
 * Compares searches in a knowledge base that everybody sees with the same texts where 40 % are in three sets of rights that
 * the caller has, beside a fifth more that is hidden in three others. The two are asked in turn.
 */
const adminKey = 'bench-admin-key-0123456789';
const filesInForm = 100;

interface Text {
  _id: string;
  title?: string;
  text: string;
}

const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').filter(Boolean);

async function api<T>(address: string, key: string, method: string, path: string, body?: object): Promise<T> {
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

async function measure(server: ServerProcess, dir: string): Promise<Figure[]> {
  const address = await server.ready;
  const admin = <T>(method: string, path: string, body?: object) => api<T>(address, adminKey, method, path, body);
  const corpus = linesOf(join(dir, 'corpus.jsonl')).map((line) => JSON.parse(line) as Text);
  const right = new Map<string, Set<string>>();
  for (const line of linesOf(join(dir, 'qrels.tsv'))) {
    const [query = '', document = '', score] = line.split('\t');
    if (Number(score) > 0) right.set(query, (right.get(query) ?? new Set()).add(document));
  }
  const questions = linesOf(join(dir, 'queries.jsonl'))
    .map((line) => JSON.parse(line) as Text)
    .filter(({ _id }) => right.has(_id));

  const { group_id } = await admin<{ group_id: string }>('GET', '/v1/admin/me');
  const role = async (name: string) => {
    const permissions = { kbs_query: true };
    const body = { name, scope: 'workspace', group_id, permissions };
    return `role:${(await admin<{ id: string }>('POST', '/v1/admin/roles', body)).id}`;
  };
  const [own, second, third] = [await role('Own'), await role('Second'), await role('Third')];
  const grant = { name: 'asks', role_id: own.slice('role:'.length) };
  const { value: key } = await admin<{ value: string }>('POST', `/v1/admin/groups/${group_id}/api-keys`, grant);
  const seen = [own, `${own},${second}`, `${own},${third}`];
  const unseen = [second, third, ''];

  const newBase = async (name: string) => {
    const settings_ = { text_chunking_enabled: false, auto_summary: false, retrieval_method: 'full_text' };
    return (await admin<{ id: string }>('POST', '/v1/knowledge-bases', { name, settings_ })).id;
  };
  const send = async (id: string, texts: readonly Text[], visible_to = 'everybody') => {
    for (let at = 0; at < texts.length; at += filesInForm) {
      const form = new FormData();
      for (const { _id, title = '', text } of texts.slice(at, at + filesInForm))
        form.append('files', new Blob([`${title}\n\n${text}`]), `${_id}.txt`);
      const query = new URLSearchParams({ visible_to });
      await admin('POST', `/v1/knowledge-bases/${id}/upload_train?${query}`, form);
    }
  };
  const [plain, mixed] = [await newBase('plain'), await newBase('mixed')];
  await send(plain, corpus);
  const part = (of: (at: number) => boolean) => corpus.filter((_, at) => of(at));
  await send(
    mixed,
    part((at) => at % 10 < 6),
  );
  for (const [set, visible_to] of seen.entries())
    await send(
      mixed,
      part((at) => at % 10 >= 6 && at % 3 === set),
      visible_to,
    );
  for (const [set, visible_to] of unseen.entries())
    await send(
      mixed,
      part((at) => at % 15 === set),
      visible_to,
    );
  for (const id of [plain, mixed])
    while ((await admin<{ status: string }>('GET', `/v1/knowledge-bases/${id}`)).status !== 'ready') await sleep(200);

  const times = { plain: [] as number[], mixed: [] as number[] };
  const gains = { plain: [] as number[], mixed: [] as number[] };
  for (const round of [0, 1, 2])
    for (const { _id, text } of questions)
      for (const [name, id] of [
        ['plain', plain],
        ['mixed', mixed],
      ] as const) {
        const begun = performance.now();
        const hits = await api<{ document_source: { name: string } }[]>(
          ...([address, key, 'POST', `/v1/knowledge-bases/${id}/search`, { query: text, top_k: 25 }] as const),
        );
        // The first round opens the indexes.
        if (round > 0) times[name].push(performance.now() - begun);
        const found = [...new Set(hits.map(({ document_source }) => document_source.name.replace(/\.txt$/, '')))];
        gains[name].push(measures(found, right.get(_id) as Set<string>, 25).ndcg_at_10);
      }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const shown = (values: readonly number[]) =>
    `${percentile(values, 0.5).toFixed(1)} / ${percentile(values, 0.99).toFixed(1)} ms`;
  const ratio = percentile(times.mixed, 0.99) / percentile(times.plain, 0.99);
  return [
    { what: 'search that everybody sees, p50 / p99', value: shown(times.plain) },
    { what: 'search with rights, p50 / p99', value: shown(times.mixed) },
    { what: 'p99 with rights to without', value: ratio.toFixed(2), aim: { text: 'at most 1.5', met: ratio <= 1.5 } },
    {
      what: 'nDCG@10 without and with rights',
      value: `${mean(gains.plain).toFixed(4)}, ${mean(gains.mixed).toFixed(4)}`,
    },
  ];
}

const [dir] = process.argv.slice(2);
if (dir === undefined) {
  process.stderr.write('Name a folder with corpus.jsonl, queries.jsonl and qrels.tsv.\n');
  process.exit(1);
}
const data = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
const server = startProcess({ dir: data, env: { ATRIUM_ADMIN_KEY: adminKey } });
try {
  printTable(`search with rights on ${dir}`, await measure(server, dir));
} finally {
  await server.stop();
  rmSync(data, { recursive: true, force: true });
}
