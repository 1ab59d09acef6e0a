import { text as textOf } from 'node:stream/consumers';
import { type Database, openDatabase } from '../packages/server/src/db/database.ts';
import { makeLog } from '../packages/server/src/lib/log.ts';
import { databaseOf, postgresIn } from '../packages/server/test/support/server-process.ts';
import { type RunServer, withRunServer } from './lib/atrium-target.ts';
import { startBeside } from './lib/beside.ts';
import type { Bench, Figure } from './lib/figure.ts';
import { makeMessages } from './lib/messages.ts';
import { makeCpuMeter } from './lib/process-figures.ts';

const conversations = 10;
const lastTurn = Number(process.env['BENCH_TURNS'] ?? 200);
/** Turns that are added up, since one of them is too short to be measured. */
const measured = 5;
const few = 10_000;
const many = Number(process.env['BENCH_MESSAGES'] ?? 1_000_000);
const perConversation = 100;

const { plain } = makeMessages();
const mark = '[10 words]';

interface Cost {
  server_ms: number;
  database_ms: number;
}

/** Processor time of one turn, on average over the work. */
async function costOf({ pid, dir }: RunServer, turns: number, work: () => Promise<void>): Promise<Cost> {
  const [server, database] = [makeCpuMeter(() => [pid]), makeCpuMeter(() => postgresIn(dir))];
  await work();
  return { server_ms: server() / turns, database_ms: database() / turns };
}

async function takeTurn({ say }: RunServer, id: string): Promise<void> {
  const stream = await textOf(await say(id, plain(mark)));
  if (!stream.includes('[DONE]')) throw new Error(`The stream was cut off: ${stream.slice(-500)}`);
}

async function takeTurns(server: RunServer, ids: readonly string[], turns: number): Promise<void> {
  await Promise.all(
    ids.map(async (id) => {
      for (let turn = 0; turn < turns; turn++) await takeTurn(server, id);
    }),
  );
}

const createMany = (server: RunServer) =>
  Promise.all(Array.from({ length: conversations }, () => server.create({ usage_limits_max_messages: 1_000_000 })));

const figure = (what: string, { server_ms, database_ms }: Cost, before?: Cost): Figure => {
  const ratio = before && (server_ms + database_ms) / (before.server_ms + before.database_ms);
  return {
    what,
    value: `CPU ${server_ms.toFixed(2)} ms + PostgreSQL ${database_ms.toFixed(2)} ms${ratio ? `, ${ratio.toFixed(2)}x` : ''}`,
    ...(ratio && { aim: { text: 'at most 1.2x', met: ratio <= 1.2 } }),
  };
};

/** The cost of the second turn of conversations and of their last one. */
async function byTurn(server: RunServer): Promise<Figure[]> {
  // The first conversations are not counted: code is compiled, threads and connections are started.
  await takeTurns(server, await createMany(server), 10);
  const ids = await createMany(server);
  await takeTurns(server, ids, 1);
  const count = conversations * measured;
  const early = await costOf(server, count, () => takeTurns(server, ids, measured));
  await takeTurns(server, ids, lastTurn - 2 * measured - 1);
  const late = await costOf(server, count, () => takeTurns(server, ids, measured));
  return [
    figure(`A turn, the 2nd to the ${measured + 1}th`, early),
    figure(`  the ${lastTurn - measured + 1}th to the ${lastTurn}th`, late, early),
  ];
}

/** Conversations of 100 messages each, until the database has this many. */
async function fill(db: Database, workspace_id: string, from: number, to: number): Promise<void> {
  const client = await db.pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query(
      `insert into conversations (workspace_id, id, name, status, message_count, etag_ms)
       select $1, md5('bench' || n)::uuid, 'Order ' || n, 'completed', $2, 1 from generate_series($3::int, $4::int - 1) n`,
      [workspace_id, perConversation, from / perConversation, to / perConversation],
    );
    await client.query(
      `insert into messages (workspace_id, conversation_id, seq, id, role, parts)
       select $1, md5('bench' || n / $2::int)::uuid, n % $2::int + 1, gen_random_uuid(), 'user',
         json_build_array(json_build_object('role', 'user', 'type', 'user', 'content', 'Where is order ' || n))::text
       from generate_series($3::int, $4::int - 1) n`,
      [workspace_id, perConversation, from, to],
    );
    await client.query('vacuum analyze conversations, messages');
  } finally {
    // The connection keeps its timeout, so no other statement gets it.
    client.release(true);
  }
}

/** The cost of a conversation's first turns in a database of few messages and in one of many. */
async function bySize(server: RunServer): Promise<Figure[]> {
  const db = openDatabase({ connection: databaseOf(server.dir), max: 2, log: makeLog('warn') });
  try {
    const { group_id } = await server.client.json<{ group_id: string }>('/v1/conversations', { name: 'bench' });
    const costs: Cost[] = [];
    for (const [from, to] of [
      [0, few],
      [few, many],
    ] as const) {
      await fill(db, group_id, from, to);
      await takeTurns(server, await createMany(server), 2);
      const ids = await createMany(server);
      costs.push(await costOf(server, conversations * measured, () => takeTurns(server, ids, measured)));
    }
    const [small, large] = costs as [Cost, Cost];
    return [figure(`A turn with ${few} messages in the database`, small), figure(`  with ${many}`, large, small)];
  } finally {
    await db.close();
  }
}

/** What a turn costs: late in a conversation, and in a large database. */
export const turns: Bench = {
  name: 'turns',
  async run() {
    const provider = await startBeside(new URL('./lib/fast-provider.ts', import.meta.url).pathname);
    try {
      return [...(await withRunServer(provider.line, byTurn)), ...(await withRunServer(provider.line, bySize))];
    } finally {
      await provider.stop();
    }
  },
};
