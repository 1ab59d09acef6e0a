import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { providerTarget, type RunServer, withRunServer } from './lib/atrium-target.ts';
import { startBeside } from './lib/beside.ts';
import { type LoadFigures, measureLoad, medianFigures, type StreamTarget } from './lib/conversation-load.ts';
import type { Bench, Figure } from './lib/figure.ts';
import { anonymizingOff, makeMessages } from './lib/messages.ts';
import { megabytesOf } from './lib/process-figures.ts';

const words = 100;
const longWords = 1100;
const rounds = Number(process.env['BENCH_SLICES'] ?? 3);
const perRound = Number(process.env['BENCH_CONVERSATIONS'] ?? 400);
const idle = 500;

const program = (name: string) => new URL(`./lib/${name}.ts`, import.meta.url).pathname;
const ms = (value: number) => `${value.toFixed(2)} ms`;
const cpu = ({ server_ms, database_ms }: LoadFigures) => `CPU ${ms(server_ms)} + PostgreSQL ${ms(database_ms)}`;

type Variants = [name: string, target: StreamTarget, message: (mark: string) => string][];

/** Turn about, so that other work on the machine falls on all variants alike. */
async function measureVariants(
  variants: Variants,
  options: { mark: string; count: number; atOnce: number; rounds: number; over_ms?: number },
): Promise<Map<string, LoadFigures>> {
  const measured = new Map<string, LoadFigures[]>(variants.map(([name]) => [name, []]));
  for (let round = 0; round < options.rounds; round++)
    for (const [name, target, message] of variants)
      measured.get(name)?.push(await measureLoad(target, { ...options, message: () => message(options.mark) }));
  return new Map([...measured].map(([name, all]) => [name, medianFigures(all)]));
}

async function throughput(variants: Variants): Promise<Figure[]> {
  const figures: Figure[] = [];
  const at16 = new Map<string, LoadFigures>();
  for (const atOnce of [1, 16, 200]) {
    const count = atOnce === 1 ? Math.ceil(perRound / 4) : perRound;
    for (const [name, figure] of await measureVariants(variants, { mark: `[${words} words]`, count, atOnce, rounds })) {
      if (atOnce === 16) at16.set(name, figure);
      const aim = { text: 'at least 350', met: figure.per_second >= 350 };
      figures.push({
        what: `${name}: ${words} tokens at once, ${atOnce} at a time`,
        value: `${figure.per_second.toFixed(0)} a second, first token ${ms(figure.first_ms)}, ${cpu(figure)}`,
        ...(atOnce === 16 && name === 'anonymizing off' && { aim }),
      });
    }
  }
  const count = Math.ceil(perRound / 4);
  const long = await measureVariants(variants, { mark: `[${longWords} words]`, count, atOnce: 16, rounds });
  for (const [name, { server_ms }] of long) {
    const further = ((server_ms - (at16.get(name)?.server_ms ?? Number.NaN)) * 1000) / (longWords - words);
    figures.push({
      what: `${name}: CPU of the server for each further token`,
      value: `${further.toFixed(1)} µs`,
      aim: { text: 'at most 10 µs', met: further <= 10 },
    });
  }
  return figures;
}

async function firstToken(variants: Variants, provider: StreamTarget): Promise<Figure[]> {
  const options = { mark: `[${words} words paused]`, count: 100, atOnce: 1, rounds };
  const bare: Variants[number] = ['provider', provider, (mark) => mark];
  const measured = await measureVariants([bare, ...variants], options);
  const alone = measured.get('provider')?.first_ms ?? Number.NaN;
  return variants.map(([name]) => {
    const over = (measured.get(name)?.first_ms ?? Number.NaN) - alone;
    return {
      what: `${name}: first token over the bare provider, 1 at a time`,
      value: `${ms(over)} (provider ${ms(alone)})`,
      aim: { text: 'at most 4 ms', met: over <= 4 },
    };
  });
}

async function paced(variants: Variants): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const atOnce of [1, 16, 60, 200]) {
    const count = Math.min(4 * atOnce, perRound);
    const options = {
      mark: `[${words} words paced]`,
      count,
      atOnce,
      rounds: atOnce === 60 ? rounds : 1,
      over_ms: 1000,
    };
    for (const [name, figure] of await measureVariants(variants, options)) {
      const sum = figure.server_ms + figure.database_ms;
      figures.push({
        what: `${name}: ${words} tokens 10 ms apart, ${atOnce} at a time`,
        value: `${cpu(figure)}, first token ${ms(figure.first_ms)}, between tokens p99 ${ms(figure.gap_p99_ms)}`,
        ...(atOnce === 60 && {
          aim: { text: 'CPU at most 10 ms, p99 under 25 ms', met: sum <= 10 && figure.gap_p99_ms < 25 },
        }),
      });
    }
  }
  return figures;
}

/** The memory of streams that all watch one silent run, then of as many that each have a run of their own. */
async function idleStreams({ client, create, say, pid }: RunServer): Promise<Figure[]> {
  const open: IncomingMessage[] = [];
  const held = () => create(anonymizingOff).then((id) => ({ id, stream: say(id, '[1 words held]') }));
  async function grow(stream: () => Promise<IncomingMessage>): Promise<string> {
    await sleep(2000);
    const before = megabytesOf(pid);
    for (let opened = 0; opened < idle; opened++) open.push((await stream()).on('error', () => {}).resume());
    await sleep(3000);
    return (megabytesOf(pid) - before).toFixed(0);
  }
  const watched = await held();
  open.push((await watched.stream).on('error', () => {}).resume());
  const watching = await grow(() => client.send(`/v1/conversations/${watched.id}/events?format=ui&after=0`));
  const running = await grow(async () => (await held()).stream);
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

export const runs: Bench = {
  name: 'runs',
  async run() {
    const provider = await startBeside(program('fast-provider'));
    const bare = providerTarget(provider.line, provider.pid);
    try {
      const figures = await withRunServer(provider.line, async ({ target }) => {
        const { plain, personal } = makeMessages();
        const variants: Variants = [
          ['default settings', target({}), plain],
          ['default settings, personal data', target({}), personal],
          ['anonymizing off', target(anonymizingOff), plain],
        ];
        // The first conversations are not counted: code is compiled, threads and connections are started.
        await measureVariants(variants, { mark: `[${words} words]`, count: 200, atOnce: 16, rounds: 1 });
        return [
          ...(await throughput(variants)),
          ...(await firstToken(variants, bare.target)),
          ...(await paced(variants)),
        ];
      });
      const memory = await withRunServer(provider.line, async (server) => {
        const options = { count: 50, atOnce: 16, message: () => `[${words} words]` };
        await measureLoad(server.target(anonymizingOff), options);
        return idleStreams(server);
      });
      return [...figures, ...memory];
    } finally {
      bare.close();
      await provider.stop();
    }
  },
};
