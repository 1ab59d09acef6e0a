import { allPermissions } from '@atrium/contract/permissions.ts';
import type { Database } from '../packages/server/src/db/database.ts';
import { type Figure, median } from './lib/figure.ts';
import { fillLists } from './lib/fill-lists.ts';

const sizes = { small: 1_000, large: Number(process.env['BENCH_ROWS'] ?? 100_000) };
const rounds = 40;

interface Page {
  next?: string | null;
  next_cursor?: string | number | null;
}
type Send = (path: string, body?: object, key?: string) => Promise<{ text: string; json: unknown }>;

interface Place {
  key: string;
  rows: number;
  kb_id: string;
  conversation_id: string;
}

async function makePlace(send: Send, db: Database, rows: number): Promise<Place> {
  const group = (await send('/v1/admin/groups', { name: `${rows} rows` })).json as { id: string };
  const permissions = allPermissions.filter((name) => name !== 'org:admin');
  const keys = `/v1/admin/groups/${group.id}/api-keys`;
  const made = (await send(keys, { name: 'bench', permissions })).json as { value: string };
  const base = (await send('/v1/knowledge-bases', { name: 'Handbook' }, made.value)).json as { id: string };
  const filled = { workspace_id: group.id, kb_id: base.id, rows };
  return { key: made.value, rows, kb_id: base.id, conversation_id: await fillLists(db, filled) };
}

const pathsOf = ({ kb_id, conversation_id }: Place): Record<string, string> => ({
  conversations: '/v1/conversations?view=summary',
  messages: `/v1/conversations/${conversation_id}/messages?size=50`,
  runs: '/v1/runs?view=summary',
  files: '/v1/files?view=summary',
  documents: `/v1/knowledge-bases/${kb_id}/documents?view=summary`,
  'tool calls': '/v1/tool-calls?view=summary',
  audit: '/v1/admin/audit?size=50',
});

/** A page nine tenths down the list, by cursor. */
async function deepPath(send: Send, place: Place, list: string, path: string): Promise<string> {
  if (list === 'messages') return `${path}&cursor=${place.rows / 10}`;
  if (list !== 'audit') {
    const before = (await send(`${path}&size=50&page=${Math.floor((place.rows * 0.9) / 50)}`, undefined, place.key))
      .json;
    return `${path}&after=${(before as Page).next}`;
  }
  // Audit has no page numbers; the cursor of an entry is its time and id.
  const time = new Date(Date.now() - place.rows * 900).toISOString();
  const page = (await send(`${path}&until=${time}`, undefined, place.key)).json as Page;
  return `${path}&cursor=${page.next_cursor}`;
}

/** The first page and one far down, of short and of long lists, turn about. */
export async function measureDeepLists(send: Send, db: Database): Promise<Figure[]> {
  const small = await makePlace(send, db, sizes.small);
  const large = await makePlace(send, db, sizes.large);
  const figures: Figure[] = [];
  for (const [list, path] of Object.entries(pathsOf(large))) {
    const shortPath = pathsOf(small)[list] ?? path;
    const requests = [
      { path: shortPath, key: small.key },
      { path, key: large.key },
      { path: await deepPath(send, large, list, path), key: large.key },
    ].map((request) => ({ ...request, times: [] as number[] }));
    for (let round = -5; round < rounds; round++)
      for (const { path: asked, key, times } of requests) {
        const begun = performance.now();
        await send(asked, undefined, key);
        if (round >= 0) times.push(performance.now() - begun);
      }
    const [short = 0, first = 0, deep = 0] = requests.map(({ times }) => median(times));
    const worst = Math.max(first, deep) / short;
    figures.push({
      what: `A page of ${list}: of ${sizes.small}, of ${sizes.large}, of these far down`,
      value: `${[short, first, deep].map((ms) => ms.toFixed(1)).join(', ')} ms`,
      aim: { text: 'at most 1.5x', met: worst <= 1.5 },
    });
  }
  return figures;
}
