import { availableParallelism, loadavg } from 'node:os';
import { childrenOf } from '../packages/server/test/support/child-processes.ts';
import { postgresIn } from '../packages/server/test/support/server-process.ts';
import { type RunServer, withRunServer } from './lib/atrium-target.ts';
import { startBeside } from './lib/beside.ts';
import { measureLoad, medianFigures } from './lib/conversation-load.ts';
import type { Bench, Figure } from './lib/figure.ts';
import { anonymizingOff, makeMessages } from './lib/messages.ts';
import { makeCpuMeter, megabytesOf } from './lib/process-figures.ts';

const rounds = Number(process.env['BENCH_SLICES'] ?? 3);
const perRound = Number(process.env['BENCH_CONVERSATIONS'] ?? 400);
const numbers = (process.env['BENCH_PROCESSES'] ?? '1,2').split(',').map(Number);
const provider = new URL('./lib/fast-provider.ts', import.meta.url).pathname;

const ms = (value: number) => `${value.toFixed(2)} ms`;
const megabytes = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + megabytesOf(pid), 0).toFixed(0);

/** Throughput, and the processor time of a conversation in each part: the first process, the others, PostgreSQL. */
async function measure(name: string, { pid, dir, target }: RunServer): Promise<Figure[]> {
  const children = [...childrenOf(pid).values()];
  const load = target(anonymizingOff);
  const { plain } = makeMessages();
  const options = { count: perRound, atOnce: 16, message: () => plain('[100 words]') };
  const idle = megabytes([pid, ...children]);
  // Each process compiles its own code.
  await measureLoad(load, { ...options, count: 200 * Math.max(1, children.length) });
  const parts = [makeCpuMeter(() => [pid]), makeCpuMeter(() => children)];
  const figures = [];
  for (let round = 0; round < rounds; round++) figures.push(await measureLoad(load, options));
  const [first, others] = parts.map((read) => read() / (rounds * perRound));
  const { per_second, first_ms, server_ms, database_ms } = medianFigures(figures);
  const parted = children.length > 0 ? ` (first ${ms(first ?? 0)}, others ${ms(others ?? 0)})` : '';
  const spread = figures.map((figure) => figure.per_second.toFixed(0)).join(', ');
  return [
    {
      what: `${name}: 100 tokens at once, 16 at a time`,
      value: `${per_second.toFixed(0)} a second (${spread}), first token ${ms(first_ms)}`,
    },
    { what: '  CPU of a conversation', value: `${ms(server_ms)}${parted} + PostgreSQL ${ms(database_ms)}` },
    {
      what: '  memory of Node, PostgreSQL apart',
      value: `${idle} MB before, ${megabytes([pid, ...children])} MB after, PostgreSQL ${megabytes(postgresIn(dir))} MB`,
    },
  ];
}

export const processes: Bench = {
  name: 'processes',
  async run() {
    const model = await startBeside(provider);
    try {
      const figures: Figure[] = [
        { what: 'cores, load', value: `${availableParallelism()}, ${loadavg().map((value) => value.toFixed(1))}` },
      ];
      for (const number of numbers)
        figures.push(
          ...(await withRunServer(
            model.line,
            (server) => measure(`${number} ${number === 1 ? 'process' : 'processes'}`, server),
            number,
          )),
        );
      return figures;
    } finally {
      await model.stop();
    }
  },
};
