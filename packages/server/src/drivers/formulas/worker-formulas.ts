import { runInWorker, WorkerFailed } from '../bounded-worker.ts';
import { type Computed, type Formulas, FormulasRefused } from './driver.ts';

/**
 * Formulas are computed in a thread that can be ended: `REPT("x", 10^9)` is a formula too. On a busy machine it takes
 * seconds until the thread has read its program, and those count.
 */
export function makeFormulas({ timeout_ms = 10_000, memory_mb = 128 } = {}): Formulas {
  return {
    async compute(sheets, signal) {
      try {
        const file = new URL('./child.ts', import.meta.url);
        return await runInWorker<Computed[]>(file, sheets, { timeout_ms, memory_mb, signal });
      } catch (error) {
        if (!(error instanceof WorkerFailed)) throw error;
        throw new FormulasRefused(`The formulas can't be computed: ${error.message}`);
      }
    },
  };
}
