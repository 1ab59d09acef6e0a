import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { type Web, WebRefused } from '../../drivers/web/driver.ts';
import { defineJob } from '../../lib/define-job.ts';
import { type CallbackKeys, signatureHeaders } from './runs/callbacks/callback-keys.ts';
import { expireEffects, expireGraphs, expireRuns } from './runs/retention-store.ts';
import * as store from './runs/run-store.ts';
import type { WorkflowRuns } from './runs/workflow-runs.ts';

const patience_ms = 15_000;
/** How many rows one statement deletes. */
const expireAtOnce = 500;

export interface WorkflowJobDeps {
  db: Database;
  web: Web;
  keys: CallbackKeys;
  runs(): Pick<WorkflowRuns, 'shown'>;
  /** For how many days finished runs are kept; 0: for ever. */
  run_days: number;
}

export function makeWorkflowJobs({ db, web, keys, runs, run_days }: WorkflowJobDeps) {
  return {
    /** Sends a finished run to its callback address; enqueued by the transaction that ends the run. */
    callback: defineJob({
      job: 'workflows.callback',
      payload: z.object({ workspace_id: z.guid(), run_id: z.guid() }),
      attempts: 12,
      async handler({ log, signal }, { workspace_id, run_id }) {
        const row = await store.findRun(db, workspace_id, run_id);
        if (!row?.callback_url) return;
        const run = await runs().shown(row);
        const body = JSON.stringify({ ...run, run_id, event: `run.${row.status}` });
        const headers = signatureHeaders(await keys(workspace_id), run_id, Math.floor(Date.now() / 1000), body);
        try {
          const answer = await web.fetch(row.callback_url, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body,
            timeout_ms: patience_ms,
            max_bytes: 65_536,
            // A redirect is a failure: the message was signed for this address only.
            follow: false,
            signal,
          });
          answer.body.on('error', () => {}).destroy();
          if (answer.status >= 300) throw new Error(`The receiver of a callback answered ${answer.status}`);
        } catch (error) {
          // A forbidden address stays forbidden, so the job does not try again.
          if (error instanceof WebRefused && (error.code === 'private_address' || error.code === 'bad_request')) {
            log.warn('A callback was refused', { run_id, code: error.code });
            return;
          }
          throw error;
        }
      },
    }),

    /** Deletes expired records in small batches: runs, effects, and graphs that no run needs any more. */
    expire: defineJob({
      job: 'workflows.expire',
      payload: z.object({}),
      attempts: 1,
      schedule: '41 * * * *',
      async handler({ signal }) {
        if (run_days === 0) return;
        for (const remove of [expireRuns, expireEffects, expireGraphs])
          while (!signal.aborted && (await remove(db, run_days, expireAtOnce)) === expireAtOnce);
      },
    }),
  };
}
