import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { makeOtlp } from '../drivers/traces/otlp.ts';
import type { Keyring } from '../features/keyring/keyring.ts';
import { makeTraceExporter } from '../features/traces/exporter.ts';
import { makePrompts } from '../features/traces/prompts.ts';
import { traceRoutes } from '../features/traces/routes.ts';
import { makeTraces } from '../features/traces/service.ts';
import { defineJob } from '../lib/job.ts';
import type { Log } from '../lib/log.ts';

export interface TracingOptions {
  db: Database;
  config: Pick<Config, 'trace_days' | 'otlp'>;
  keyring: Keyring;
  log: Log;
}

/** How runs came about: kept for a while, and sent to a collector where there is one. */
export function makeTracing({ db, config, keyring, log }: TracingOptions) {
  const { trace_days, otlp } = config;
  const prompts = makePrompts({ db, keyring });
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
