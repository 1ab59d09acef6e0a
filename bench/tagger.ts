import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Bench, median } from './lib/figure.ts';

interface Told {
  start_ms: number;
  per_second: number[];
  megabytes: number;
  delay_ms: number;
  longest_ms: number;
}

/** Finding names: how fast, how soon, in how much memory, and what the rest of the process feels of it. */
export const tagger: Bench = {
  name: 'tagger',
  async run() {
    const program = new URL('./lib/tagger-process.ts', import.meta.url).pathname;
    const turns: Told[] = [];
    for (let turn = 0; turn < 3; turn++)
      turns.push(JSON.parse((await promisify(execFile)(process.execPath, [program])).stdout) as Told);
    const of = (field: 'start_ms' | 'megabytes' | 'delay_ms' | 'longest_ms') =>
      median(turns.map((turn) => turn[field]));
    const speed = Math.round(median(turns.flatMap((turn) => turn.per_second)));
    return [
      {
        what: 'Characters a second, one core, end to end',
        value: String(speed),
        aim: { text: 'at least 100000', met: speed >= 100_000 },
      },
      {
        what: 'First answer, with the start of the thread',
        value: `${Math.round(of('start_ms'))} ms`,
        aim: { text: 'under 150 ms', met: of('start_ms') < 150 },
      },
      {
        what: 'Memory',
        value: `${of('megabytes').toFixed(0)} MB`,
        aim: { text: 'under 60 MB', met: of('megabytes') < 60 },
      },
      {
        what: 'Delay of the event loop meanwhile, 99 of 100 turns',
        value: `${of('delay_ms').toFixed(1)} ms (longest ${of('longest_ms').toFixed(1)} ms)`,
        aim: { text: 'under 5 ms', met: of('delay_ms') < 5 },
      },
    ];
  },
};
