import { setTimeout as sleep } from 'node:timers/promises';
import type { TraceSink } from '../../drivers/traces/driver.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import type { Traces } from './service.ts';
import { spansOf } from './spans.ts';

const atOnce = 50;
const most = 5000;
const patience = 10_000;
const tries = 3;

/**
 * Sends runs that are over to a collector, some at a time. What is asked after an answer, its title, comes along: so they
 * wait a little. A collector that is away for long costs its spans, never a run.
 */
export function makeTraceExporter(deps: { traces: Traces; sink: TraceSink; log: Log; wait_ms?: number }) {
  const { traces, sink, log, wait_ms = 3000 } = deps;
  const waiting: { workspace_id: string; run_id: string; at: number }[] = [];
  const stopping = new AbortController();
  let sending: Promise<void> | undefined;

  async function sendSome(): Promise<void> {
    const due = waiting.findIndex(({ at }) => at > Date.now());
    const some = waiting.splice(0, Math.min(atOnce, due === -1 ? waiting.length : due));
    if (some.length === 0) return;
    const spans = [];
    for (const { workspace_id, run_id } of some) {
      // One that was deleted meanwhile has nothing to tell.
      const trace = await traces(workspace_id, run_id).catch(() => undefined);
      if (trace) spans.push(...spansOf(trace, workspace_id));
    }
    for (let attempt = 1; spans.length; attempt++)
      try {
        await sink.send(spans, AbortSignal.any([stopping.signal, AbortSignal.timeout(patience)]));
        return;
      } catch (error) {
        if (attempt >= tries || stopping.signal.aborted)
          return log.warn('Traces were not sent', { spans: spans.length, ...errorFields(error) });
        await sleep(500 * attempt, undefined, { signal: stopping.signal }).catch(() => {});
      }
  }

  const timer = setInterval(
    () => {
      sending ??= sendSome()
        .catch((error) => log.warn('Traces were not sent', errorFields(error)))
        .finally(() => {
          sending = undefined;
        });
    },
    Math.min(1000, wait_ms),
  ).unref();

  return {
    ended(workspace_id: string, run_id: string): void {
      if (waiting.length < most) waiting.push({ workspace_id, run_id, at: Date.now() + wait_ms });
    },
    async close(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await sending;
    },
  };
}
