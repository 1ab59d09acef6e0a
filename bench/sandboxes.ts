import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBubblewrap } from '../packages/server/src/drivers/sandboxes/bubblewrap/bubblewrap.ts';
import { defaultLimits as limits } from '../packages/server/src/drivers/sandboxes/default-limits.ts';
import type { SandboxDriver } from '../packages/server/src/drivers/sandboxes/driver.ts';
import { makeJustBash } from '../packages/server/src/drivers/sandboxes/just-bash/just-bash.ts';
import { runToEnd } from '../packages/server/src/drivers/sandboxes/run-to-end.ts';
import { makeQuickJs } from '../packages/server/src/drivers/scripts/quickjs.ts';
import { type Bench, type Figure, median } from './lib/figure.ts';

const turns = 60;
const together = 30;

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function timed(work: () => Promise<unknown>, times: number): Promise<number> {
  const found: number[] = [];
  for (let turn = 0; turn < times; turn++) found.push(await timeOf(work));
  return median(found);
}

/** Two things in turn, so that both meet the same neighbours; the fastest turn of each met the fewest. */
async function inTurn(one: () => Promise<unknown>, other: () => Promise<unknown>) {
  const found: [number, number][] = [];
  for (let turn = 0; turn < turns; turn++) found.push([await timeOf(one), await timeOf(other)]);
  const column = (index: 0 | 1) => found.map((pair) => pair[index]);
  return {
    plain: median(column(0)),
    more: median(column(1)) - median(column(0)),
    least: Math.min(...column(1)) - Math.min(...column(0)),
  };
}

const ms = (value: number) => `${value.toFixed(1)} ms`;

function plainly(): Promise<unknown> {
  const child = spawn('bash', ['-c', 'true'], { stdio: 'pipe' });
  child.stdout.resume();
  child.stderr.resume();
  return once(child, 'close');
}

async function running(driver: SandboxDriver) {
  const ref = await driver.create({ id: randomUUID(), persistent: false, network: false });
  const run = (code: string) =>
    runToEnd(driver.exec(ref, { language: 'bash', code, cwd: '', env: {}, stdin: '' }, new AbortController().signal));
  return { ref, run };
}

async function measure(root: string): Promise<Figure[]> {
  const bubblewrap = makeBubblewrap({ root, limits });
  const emulated = makeJustBash({ root, limits });
  const figures: Figure[] = [];
  try {
    const probe = await bubblewrap.probe();
    if (probe.usable) {
      const { ref, run } = await running(bubblewrap);
      const { plain, more, least } = await inTurn(plainly, () => run('true'));
      figures.push({ what: 'Plain spawn of bash -c true, median', value: ms(plain) });
      figures.push({
        what: 'bubblewrap over that, fastest turns',
        value: ms(least),
        aim: { text: 'at most 15 ms', met: least <= 15 },
      });
      figures.push({ what: '  medians, with whatever else the machine does', value: ms(more) });
      figures.push({ what: '  how memory is held', value: probe.note });
      await bubblewrap.destroy(ref);
      const begun = performance.now();
      const all = await Promise.all(Array.from({ length: together }, () => running(bubblewrap)));
      const said = await Promise.all(all.map(({ run: own }, index) => own(`sleep 0.5; echo ${index}`)));
      const started = said.filter(
        ({ stdout, ended }, index) => ended.exit_code === 0 && stdout === `${index}\n`,
      ).length;
      figures.push({
        what: `${together} sandboxes at once: started`,
        value: String(started),
        aim: { text: 'all', met: started === together },
      });
      figures.push({ what: '  until all had slept 0.5 s', value: ms(performance.now() - begun) });
      for (const each of all) await bubblewrap.destroy(each.ref);
    } else figures.push({ what: 'bubblewrap', value: probe.note });
    const { ref, run } = await running(emulated);
    figures.push({ what: 'just-bash, true', value: ms(await timed(() => run('true'), 5)) });
    await emulated.destroy(ref);
    const scripts = makeQuickJs();
    const script = { code: 'return input.n * 2', input: { n: 21 }, timeout_ms: 5_000 };
    figures.push({
      what: 'QuickJS, a script in a process of its own',
      value: ms(await timed(() => scripts.run(script), 10)),
    });
  } finally {
    await bubblewrap.close();
    await emulated.close();
  }
  return figures;
}

export const sandboxes: Bench = {
  name: 'sandboxes',
  async run() {
    const root = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
    try {
      return await measure(root);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};
