import type { Page } from 'playwright-core';

/** Work that takes about 40 ms in a browser on a machine at rest. */
const work =
  '(() => { const began = performance.now(); let sum = 0; for (let at = 0; at < 3e7; at++) sum += at % 7; return performance.now() - began; })()';
const restMs = 40;

/** How many times slower this machine is now than one at rest: limits of time grow with it, and are exact at rest. */
export async function busyFactor(page: Page): Promise<number> {
  const times = [Number(await page.evaluate(work)), Number(await page.evaluate(work))];
  return Math.max(1, Math.max(...times) / restMs);
}
