import { type Figure, median } from './figure.ts';
import { type Load, load, type Request } from './load.ts';
import { cpuMsOf } from './process-figures.ts';

const slices = Number(process.env['BENCH_SLICES'] ?? 6);
const connections = 16;
const seconds = 2;

/** A server process and the requests that the benchmark sends to it. */
export interface Target {
  pid: number;
  request: Request;
}

type Measured = Load & { cpu_us: number };

async function slice({ pid, request }: Target): Promise<Measured> {
  const before = cpuMsOf(pid);
  const measured = await load(request, { connections, seconds });
  return { ...measured, cpu_us: ((cpuMsOf(pid) - before) * 1000) / (measured.per_second * seconds) };
}

/** Turn about, so that what else the machine does falls on both alike; the first turn of each warms up. */
export async function compare(what: string, ours: Target, bare: Target): Promise<Figure[]> {
  const loads: [Measured[], Measured[]] = [[], []];
  for (let turn = 0; turn <= slices; turn++)
    for (const [index, target] of [ours, bare].entries()) {
      const measured = await slice(target);
      if (turn > 0) loads[index]?.push(measured);
    }
  const [own, theirs] = loads.map((list) => {
    const of = (field: keyof Measured) => median(list.map((one) => one[field]));
    const words =
      `${Math.round(of('per_second'))} req/s, p50 ${of('p50_ms')} ms, p99 ${of('p99_ms')} ms, ` +
      `${Math.round(of('cpu_us'))} µs of node per request`;
    return { per_second: of('per_second'), words };
  }) as [{ per_second: number; words: string }, { per_second: number; words: string }];
  const ratio = own.per_second / theirs.per_second;
  return [
    { what: `${what}: Atrium`, value: own.words },
    { what: `${what}: bare Fastify`, value: theirs.words },
    { what: `${what}: ratio`, value: ratio.toFixed(2), aim: { text: 'at least 0.85', met: ratio >= 0.85 } },
  ];
}
