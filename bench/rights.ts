import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { measures } from '../packages/server/src/features/knowledge-bases/search/evaluate-search.ts';
import { type ServerProcess, startProcess } from '../packages/server/test/support/server-process.ts';
import { type Asked, askInTurn, mean, percentile } from './lib/ask-in-turn.ts';
import { type Figure, printTable } from './lib/figure.ts';

/**
 * Compares searches in a knowledge base that everybody sees with the same texts where 40 % are in three sets of rights that
 * the caller has, beside a fifth more that is hidden in three others. The two are asked in turn.
 */
const adminKey = 'bench-admin-key-0123456789';
const filesInForm = 100;
/** Each of so many searches of a question, beside one that does not count. */
const rounds = 6;

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

  const gains: [number[], number[]] = [[], []];
  const asked = await askInTurn(server.pid, questions, rounds, async ({ _id, text }, target) => {
    const path = `/v1/knowledge-bases/${target === 0 ? plain : mixed}/search`;
    const body = { query: text, top_k: 25 };
    const hits = await api<{ document_source: { name: string } }[]>(address, key, 'POST', path, body);
    const found = [...new Set(hits.map(({ document_source }) => document_source.name.replace(/\.txt$/, '')))];
    gains[target].push(measures(found, right.get(_id) as Set<string>, 25).ndcg_at_10);
  });
  const all = (target: 0 | 1, what: keyof Asked) => asked.flatMap((round) => round[target][what]);
  const shown = (target: 0 | 1, what: keyof Asked) =>
    `${percentile(all(target, what), 0.5).toFixed(1)} / ${percentile(all(target, what), 0.99).toFixed(1)} ms`;
  const ratioOf = (what: keyof Asked, of: (values: readonly number[]) => number) => of(all(1, what)) / of(all(0, what));
  const p99 = (values: readonly number[]) => percentile(values, 0.99);
  const ratio = ratioOf('times', p99);
  const byRound = asked.map(([without, withRights]) => p99(withRights.times) / p99(without.times));
  const range = `${Math.min(...byRound).toFixed(2)} to ${Math.max(...byRound).toFixed(2)} by round`;
  return [
    { what: 'search that everybody sees, p50 / p99', value: shown(0, 'times') },
    { what: 'search with rights, p50 / p99', value: shown(1, 'times') },
    {
      what: 'p99 with rights to without',
      value: `${ratio.toFixed(2)} (${range})`,
      aim: { text: 'at most 1.5', met: ratio <= 1.5 },
    },
    { what: 'processor time of the server without rights, p50 / p99', value: shown(0, 'cpu') },
    { what: 'processor time of the server with rights, p50 / p99', value: shown(1, 'cpu') },
    {
      what: 'processor time with rights to without, mean and p99',
      value: `${ratioOf('cpu', mean).toFixed(2)}, ${ratioOf('cpu', p99).toFixed(2)}`,
    },
    {
      what: 'nDCG@10 without and with rights',
      value: gains.map((values) => mean(values).toFixed(4)).join(', '),
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
