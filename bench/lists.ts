import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../packages/server/src/db/database.ts';
import { appendMessage } from '../packages/server/src/features/conversations/message-store.ts';
import { newId } from '../packages/server/src/lib/ids.ts';
import { makeLog } from '../packages/server/src/lib/log.ts';
import { databaseOf, startProcess } from '../packages/server/test/support/server-process.ts';
import { measureDeepLists } from './deep-lists.ts';
import { type Bench, type Figure, median } from './lib/figure.ts';
import { load } from './lib/load.ts';

const key = 'bench-admin-key-0123456789';
const headers = { 'x-api-key': key };
const inList = 50;
const slices = Number(process.env['BENCH_SLICES'] ?? 6);
const log = makeLog('warn');

async function send(
  url: string,
  body?: object,
  own = key,
): Promise<{ text: string; json: { id: string; group_id: string } }> {
  const sent = body && { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url, { headers: { 'x-api-key': own, 'content-type': 'application/json' }, ...sent });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return { text, json: JSON.parse(text) };
}

/** The first page of conversations as summaries and whole, turn about. */
async function compareViews(address: string): Promise<Figure[]> {
  const url = `${address}/v1/conversations`;
  const views = { summary: `${url}?view=summary`, full: url };
  const perSecond: Record<keyof typeof views, number[]> = { summary: [], full: [] };
  for (let turn = 0; turn <= slices; turn++)
    for (const view of ['summary', 'full'] as const) {
      const request = { url: views[view], method: 'GET', headers } as const;
      const measured = await load(request, { connections: 16, seconds: 2 });
      if (turn > 0) perSecond[view].push(measured.per_second);
    }
  const bytes = {
    summary: Buffer.byteLength((await send(views.summary)).text),
    full: Buffer.byteLength((await send(views.full)).text),
  };
  const [summary, full] = [median(perSecond.summary), median(perSecond.full)];
  const ratio = summary / full;
  const words = (rate: number, size: number) => `${Math.round(rate)} req/s, ${(size / 1000).toFixed(1)} KB`;
  return [
    { what: `GET ${inList} conversations, whole`, value: words(full, bytes.full) },
    {
      what: `GET ${inList} conversations as summaries`,
      value: words(summary, bytes.summary),
      aim: { text: 'under 30 KB', met: bytes.summary < 30_000 },
    },
    { what: 'summaries to whole', value: ratio.toFixed(1), aim: { text: 'at least 3.0', met: ratio >= 3 } },
  ];
}

async function measure(dir: string): Promise<Figure[]> {
  const server = startProcess({ dir, env: { ATRIUM_ADMIN_KEY: key } });
  try {
    const address = await server.ready;
    const db = openDatabase({ connection: databaseOf(dir), max: 4, log });
    try {
      const agent = (await send(`${address}/v1/agents`, { name: 'Support' })).json;
      for (let made = 0; made < inList; made++) {
        const settings = { persona: `You answer customer ${made}.` };
        const body = { name: `Order ${made}`, settings };
        const { json } = await send(`${address}/v1/conversations?assistant_id=${agent.id}`, body);
        const content = `Where is my order ${made}? It should have come on Monday.`;
        const parts = JSON.stringify([{ role: 'user', type: 'user', content }]);
        await appendMessage(db, json.group_id, json.id, { id: newId(), role: 'user', parts });
      }
      const views = await compareViews(address);
      const ask = (path: string, body?: object, own?: string) => send(`${address}${path}`, body, own);
      return [...views, ...(await measureDeepLists(ask, db))];
    } finally {
      await db.close();
    }
  } finally {
    await server.stop();
  }
}

export const lists: Bench = {
  name: 'lists',
  async run() {
    const dir = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
    try {
      return await measure(dir);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
};
