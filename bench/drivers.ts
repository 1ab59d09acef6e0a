import { startBeside } from './lib/beside.ts';
import { type Bench, type Figure, median } from './lib/figure.ts';

const program = (name: string) => new URL(`./lib/${name}.ts`, import.meta.url).pathname;

interface Alone {
  cpu_us: number;
  first_ms: number;
}

const rounds = 3;
const words = 100;

async function measure(url: string, protocol: string, driver: string): Promise<Alone> {
  const env = { PROVIDER_URL: url, PROVIDER_PROTOCOL: protocol, PROVIDER_DRIVER: driver };
  const { line, stop } = await startBeside(program('driver-alone'), {
    ...env,
    ...{ PROVIDER_REPLIES: '400', PROVIDER_WORDS: String(words) },
  });
  await stop();
  return JSON.parse(line) as Alone;
}

async function compare(url: string, protocol: string): Promise<Figure[]> {
  const seen: Record<'own' | 'package', Alone[]> = { own: [], package: [] };
  // Both in turn, so that other work on the machine meets both.
  for (let round = 0; round < rounds; round++)
    for (const driver of ['package', 'own'] as const) seen[driver].push(await measure(url, protocol, driver));
  const cpu = (driver: keyof typeof seen) => median(seen[driver].map(({ cpu_us }) => cpu_us));
  const first = (driver: keyof typeof seen) => median(seen[driver].map(({ first_ms }) => first_ms));
  const least = Math.min(...seen.own.map(({ cpu_us }) => cpu_us));
  return [
    {
      what: `${protocol}: processor time per token, ours`,
      value: `${cpu('own').toFixed(1)} µs (least ${least.toFixed(1)})`,
      aim: { text: 'at most 6 µs', met: cpu('own') <= 6 },
    },
    {
      what: `${protocol}: processor time per token, provider package`,
      value: `${cpu('package').toFixed(1)} µs: ${(cpu('package') / cpu('own')).toFixed(1)}x`,
    },
    {
      what: `${protocol}: time to the first token`,
      value: `${first('own').toFixed(1)} ms, package ${first('package').toFixed(1)} ms`,
    },
  ];
}

/** The drivers of language models that are our own, beside the provider packages, over HTTP in processes of their own. */
export const drivers: Bench = {
  name: 'drivers',
  async run() {
    const provider = await startBeside(program('fast-provider'));
    try {
      return [...(await compare(provider.line, 'chat')), ...(await compare(provider.line, 'messages'))];
    } finally {
      await provider.stop();
    }
  },
};
