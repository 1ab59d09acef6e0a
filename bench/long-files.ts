import { text as textOf } from 'node:stream/consumers';
import { openDatabase } from '../packages/server/src/db/database.ts';
import { makeLog } from '../packages/server/src/lib/log.ts';
import { databaseOf } from '../packages/server/test/support/server-process.ts';
import { type RunServer, withRunServer } from './lib/atrium-target.ts';
import { startBeside } from './lib/beside.ts';
import type { Bench, Figure } from './lib/figure.ts';
import { makeMessages } from './lib/messages.ts';
import { makeCpuMeter } from './lib/process-figures.ts';

const laterTurns = 5;
const bytes = 343 * 1024;
const { plain } = makeMessages();
const mark = '[10 words]';

function makeTable(seed: string): string {
  const lines = ['id,customer,city,date,total,paid'];
  for (let size = 0, n = 1; size < bytes; n++) {
    const day = String((n % 28) + 1).padStart(2, '0');
    const line = `${n},Customer ${seed}${n},Bergen,2026-03-${day},${(n * 7) % 900}.50,${n % 3 ? 'yes' : 'no'}`;
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join('\n').slice(0, bytes);
}

/** Processor time and tokens of the first turn, which brings the file, and of the later ones. */
async function costsOf({ client, create, say, pid, dir }: RunServer, settings: object, seed: string) {
  const id = await create(settings);
  const files = [{ name: 'orders.csv', b64_content: Buffer.from(makeTable(seed)).toString('base64') }];
  const meter = makeCpuMeter(() => [pid]);
  await textOf(await client.send(`/v1/conversations/${id}/stream?format=ui`, { content: plain(mark), files }));
  const first = meter();
  const later = makeCpuMeter(() => [pid]);
  for (let turn = 0; turn < laterTurns; turn++) await textOf(await say(id, plain(mark)));
  const each = later() / laterTurns;
  const db = openDatabase({ connection: databaseOf(dir), max: 1, log: makeLog('warn') });
  try {
    const { rows } = await db.pool.query(
      `select max((data::json->>'input_tokens')::int) as tokens from run_events
       where type = 'step-start' and run_id in (select id from runs where conversation_id = $1)`,
      [id],
    );
    return { first, each, tokens: Number(rows[0].tokens) };
  } finally {
    await db.close();
  }
}

const figure = (what: string, { first, each, tokens }: Awaited<ReturnType<typeof costsOf>>): Figure => ({
  what,
  value: `${tokens} tokens a turn, CPU ${Math.round(first)} ms with the file, ${Math.round(each)} ms each later turn`,
});

/** What a CSV of 343 KB costs in a conversation. */
export const longFiles: Bench = {
  name: 'long-files',
  async run() {
    const provider = await startBeside(new URL('./lib/fast-provider.ts', import.meta.url).pathname);
    const off = { base_tools: [{ type: 'filesystem', enabled: false }] };
    try {
      return await withRunServer(provider.line, async (server) => {
        // The first conversations are not counted: code is compiled and threads are started.
        for (const settings of [{}, off]) await costsOf(server, settings, 'warm');
        return [
          figure('Sent as a summary', await costsOf(server, {}, 'a')),
          figure('Sent whole, up to 200,000 characters', await costsOf(server, off, 'b')),
        ];
      });
    } finally {
      await provider.stop();
    }
  },
};
