import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withRunServer } from './lib/atrium-target.ts';
import { startBeside } from './lib/beside.ts';
import { type LoadFigures, measureLoad, medianFigures, type StreamTarget } from './lib/conversation-load.ts';
import { type Figure, printTable } from './lib/figure.ts';
import { anonymizingOff, makeMessages } from './lib/messages.ts';
import { langgraph } from './peers/langgraph.ts';
import { mastra } from './peers/mastra.ts';
import { installPeer, type Peer, type RunningPeer, startPeer } from './peers/peer.ts';

/*
 * The same work on Atrium and on other servers, in one run: a conversation with one answer of 100 tokens from the same
 * scripted provider, turn about. Other servers are installed outside of this project, into BENCH_PEERS_DIR or the
 * system's folder for temporary files, and are kept there for the next time.
 */

const peers: readonly Peer[] = [mastra, langgraph];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !peers.some((peer) => peer.name === name));
if (unknown.length) {
  process.stderr.write(
    `No peer named ${unknown.join(', ')}; there are ${peers.map((peer) => peer.name).join(', ')}.\n`,
  );
  process.exit(1);
}
const chosen = asked.length ? peers.filter(({ name }) => asked.includes(name)) : [mastra];
const folder = process.env['BENCH_PEERS_DIR'] ?? join(tmpdir(), 'atrium-bench-peers');
const rounds = Number(process.env['BENCH_SLICES'] ?? 3);
const count = Number(process.env['BENCH_CONVERSATIONS'] ?? 600);
const firstPort = 24_870;

const works = [
  { what: '100 tokens at once, 16 at a time', mark: '[100 words]', atOnce: 16, count, rounds },
  { what: '100 tokens after a pause, 1 at a time', mark: '[100 words paused]', atOnce: 1, count: 50, rounds },
  {
    what: '100 tokens 10 ms apart, 16 at a time',
    mark: '[100 words paced]',
    atOnce: 16,
    count: 96,
    rounds,
    over_ms: 1000,
  },
];

/** Each server's figures, and how many times as much work Atrium does with default settings. */
function figuresOf(what: string, measured: ReadonlyMap<string, LoadFigures>): Figure[] {
  const own = measured.get('Atrium') as LoadFigures;
  return [...measured].map(([name, { per_second, first_ms, server_ms, database_ms }]) => ({
    what: `${what}: ${name}`,
    value:
      `${per_second.toFixed(1)} a second (Atrium ${(own.per_second / per_second).toFixed(2)}x), first token ` +
      `${first_ms.toFixed(1)} ms (${(first_ms / own.first_ms).toFixed(2)}x Atrium's), CPU ` +
      `${(server_ms + database_ms).toFixed(1)} ms (${((server_ms + database_ms) / (own.server_ms + own.database_ms)).toFixed(2)}x)`,
    ...(name === 'mastra' &&
      what.startsWith('100 tokens at once') && {
        aim: { text: 'Atrium at least 4x', met: own.per_second >= 4 * per_second },
      }),
  }));
}

/** The first conversations of each server are not counted: its code is compiled while it works on about a thousand. */
const warmUp = 1200;

/** Each round begins with another server, since the one before may still be busy with what it does afterwards. */
const inTurn = <T>(list: readonly T[], round: number): T[] => {
  const first = round % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
};

async function measureAll(targets: ReadonlyMap<string, StreamTarget>): Promise<Figure[]> {
  const { plain } = makeMessages();
  for (const target of targets.values())
    await measureLoad(target, { count: warmUp, atOnce: 16, message: () => plain('[100 words]') });
  const figures: Figure[] = [];
  for (const { what, mark, ...options } of works) {
    const measured = new Map<string, LoadFigures[]>([...targets.keys()].map((name) => [name, []]));
    for (let round = 0; round < options.rounds; round++)
      for (const [name, target] of inTurn([...targets], round))
        measured.get(name)?.push(await measureLoad(target, { ...options, message: () => plain(mark) }));
    figures.push(...figuresOf(what, new Map([...measured].map(([name, all]) => [name, medianFigures(all)]))));
  }
  return figures;
}

for (const peer of chosen) await installPeer(peer, join(folder, peer.name));
const provider = await startBeside(new URL('./lib/fast-provider.ts', import.meta.url).pathname);
const running: RunningPeer[] = [];
try {
  const figures = await withRunServer(provider.line, async ({ target }) => {
    const targets = new Map([
      ['Atrium', target({})],
      ['Atrium, anonymizing off', target(anonymizingOff)],
    ]);
    for (const [index, peer] of chosen.entries()) {
      const started = await startPeer(peer, join(folder, peer.name), provider.line, firstPort + index);
      running.push(started);
      targets.set(peer.name, started.target);
    }
    return measureAll(targets);
  });
  printTable('peers', figures);
  for (const { name, packages, note } of chosen)
    process.stdout.write(
      `  ${name}: ${Object.entries(packages)
        .map(([of, version]) => `${of} ${version}`)
        .join(', ')}; ${note}\n`,
    );
} finally {
  for (const peer of running) await peer.stop();
  await provider.stop();
}
