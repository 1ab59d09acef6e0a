import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { makeOtlp } from '../drivers/traces/otlp.ts';
import type { Keyring } from '../features/keyring/service.ts';
import { traceRoutes } from '../features/traces/handlers.ts';
import { makeTraces } from '../features/traces/service.ts';
import { makeStoredPrompts } from '../features/traces/stored-prompts.ts';
import { makeTraceExporter } from '../features/traces/trace-exporter.ts';
import { defineJob } from '../lib/define-job.ts';
import type { Log } from '../lib/log.ts';

export interface TracesOptions {
  db: Database;
  config: Pick<Config, 'trace_days' | 'otlp'>;
  keyring: Keyring;
  log: Log;
}

/** How runs came about: kept for a while, and sent to a collector where there is one. */
export function composeTraces({ db, config, keyring, log }: TracesOptions) {
  const { trace_days, otlp } = config;
  const prompts = makeStoredPrompts({ db, keyring });
  const traces = makeTraces({ db, prompts });
  const exporter = otlp && makeTraceExporter({ traces, sink: makeOtlp(otlp), log, wait_ms: otlp.wait_ms });
  const expire = defineJob({
    job: 'traces.expire',
    payload: z.object({}),
    attempts: 1,
    schedule: '23 * * * *',
    async handler() {
      await prompts.expire(trace_days);
    },
  });
  return {
    keepPrompts: trace_days > 0 ? prompts.keep : undefined,
    ended: exporter?.ended,
    jobs: [expire],
    routes: traceRoutes(traces),
    close: async () => exporter?.close(),
  };
}
