import { setTimeout as sleep } from 'node:timers/promises';
import type { TraceSink } from '../../drivers/traces/driver.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import type { Traces } from './ports.ts';
import { spansOf } from './spans.ts';

const batch_size = 50;
const max_waiting = 5000;
const timeout_ms = 10_000;
const max_attempts = 3;

/**
 * Sends the traces of finished runs to a collector, in batches. Each run waits a little, so that model calls after its
 * end, such as the one for the title, are in its trace. While the collector is away, spans are dropped; runs go on.
 */
export function makeTraceExporter(deps: {
  traces: Pick<Traces, 'ofRun'>;
  sink: TraceSink;
  log: Log;
  wait_ms?: number;
}) {
  const { traces, sink, log, wait_ms = 3000 } = deps;
  const waiting: { workspace_id: string; run_id: string; at: number }[] = [];
  const stopping = new AbortController();
  let sending: Promise<void> | undefined;

  async function sendBatch(): Promise<void> {
    const due = waiting.findIndex(({ at }) => at > Date.now());
    const batch = waiting.splice(0, Math.min(batch_size, due === -1 ? waiting.length : due));
    if (batch.length === 0) return;
    const spans = [];
    for (const { workspace_id, run_id } of batch) {
      // A run that was deleted meanwhile has no trace.
      const trace = await traces.ofRun(workspace_id, run_id).catch(() => undefined);
      if (trace) spans.push(...spansOf(trace, workspace_id));
    }
    for (let attempt = 1; spans.length; attempt++)
      try {
        await sink.send(spans, AbortSignal.any([stopping.signal, AbortSignal.timeout(timeout_ms)]));
        return;
      } catch (error) {
        if (attempt >= max_attempts || stopping.signal.aborted)
          return log.warn('traces.export-failed', { spans: spans.length, ...errorFields(error) });
        // Closing ends the wait early; the next attempt then fails and is logged.
        await sleep(500 * attempt, undefined, { signal: stopping.signal }).catch(() => {});
      }
  }

  const timer = setInterval(
    () => {
      sending ??= sendBatch()
        .catch((error) => log.warn('traces.export-failed', errorFields(error)))
        .finally(() => {
          sending = undefined;
        });
    },
    Math.min(1000, wait_ms),
  ).unref();

  return {
    ended(workspace_id: string, run_id: string): void {
      if (waiting.length < max_waiting) waiting.push({ workspace_id, run_id, at: Date.now() + wait_ms });
    },
    async close(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await sending;
    },
  };
}
