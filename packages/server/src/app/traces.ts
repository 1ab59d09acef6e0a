import { piiEntities } from '@atrium/contract/settings/keys/safety.ts';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { makeOtlp } from '../drivers/traces/otlp.ts';
import type { CallBudgets } from '../features/budgets/service.ts';
import type { Transcript } from '../features/conversations/ports.ts';
import type { Keyring } from '../features/keyring/service.ts';
import type { Registry } from '../features/models/service.ts';
import type { FindHiddenRuns } from '../features/ownership/service.ts';
import type { RunLog } from '../features/runs/ports.ts';
import { traceRoutes } from '../features/traces/handlers.ts';
import { makeHideValues } from '../features/traces/hide-values.ts';
import type { ReadWorkflowSteps, Traces } from '../features/traces/ports.ts';
import { makeRetryModelCall } from '../features/traces/retry-model-call.ts';
import { makeTraces } from '../features/traces/service.ts';
import { makeStoredPrompts } from '../features/traces/stored-prompts.ts';
import { makeTraceExporter } from '../features/traces/trace-exporter.ts';
import { defineJob } from '../lib/define-job.ts';
import type { Log } from '../lib/log.ts';
import { required } from '../lib/required.ts';
import type { Safety } from './safety.ts';

export interface TracesOptions {
  db: Database;
  config: Pick<Config, 'trace_days' | 'otlp'>;
  keyring: Keyring;
  log: Log;
  countBytes(workspace_id: string, bytes: number): void;
}

/** What traces are read from; made after the ledger, which stores prompts. */
export interface TraceSources {
  transcript: Transcript;
  safety: Pick<Safety, 'privacy'>;
  registry: Registry;
  runLog: RunLog;
  workflowSteps: ReadWorkflowSteps;
  budgets: Pick<CallBudgets, 'requireRoom'>;
  findHiddenRuns: FindHiddenRuns;
}

/** How runs came about: kept for a while, and sent to a collector where there is one. */
export function composeTraces({ db, config, keyring, log, countBytes }: TracesOptions) {
  const { trace_days, otlp } = config;
  const prompts = makeStoredPrompts({ db, keyring, countBytes });
  let opened: Traces | undefined;
  const traces: Pick<Traces, 'ofRun'> = { ofRun: (...run) => required(opened).ofRun(...run) };
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
    routes({
      transcript,
      safety: { privacy },
      registry,
      runLog,
      workflowSteps,
      budgets,
      findHiddenRuns,
    }: TraceSources) {
      const hiding = makeHideValues({ transcript, privacy });
      opened = makeTraces({ db, prompts, log: runLog, workflowSteps, transcript, findHiddenRuns, ...hiding });
      const pii = { pii_anonimization: piiEntities.map((value) => ({ value, label: value })) };
      const retry = makeRetryModelCall({
        ...{ db, prompts, transcript, privacy, registry, pii },
        requireBudget: (scope) => budgets.requireRoom(scope),
      });
      return traceRoutes(opened, retry);
    },
    close: async () => exporter?.close(),
  };
}
