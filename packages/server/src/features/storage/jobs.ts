import { z } from 'zod';
import type { Database, Db } from '../../db/database.ts';
import { defineJob } from '../../lib/define-job.ts';
import type { Log } from '../../lib/log.ts';
import { type Storage, stateOf } from './service.ts';
import * as store from './store.ts';

/** So many workspaces a turn measures; the rest have the next one. */
const mostATurn = 200;

export function makeStorageJobs(deps: {
  db: Database;
  storage: Pick<Storage, 'quotaOf'>;
  fileBytes(db: Db, workspace_ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The bytes of the prompts that are kept for traces, and of rows with their history. */
  measurePrompts(db: Db, workspace_id: string): Promise<number>;
  measureRows(db: Db, workspace_id: string): Promise<number>;
}) {
  const { db, storage } = deps;

  async function measure(due: store.DueMeasurement, log: Log): Promise<void> {
    const { workspace_id } = due;
    const begun = performance.now();
    const texts = await store.measureTexts(db, workspace_id);
    const log_bytes = texts.others + (await deps.measurePrompts(db, workspace_id));
    const row_bytes = await deps.measureRows(db, workspace_id);
    const file_bytes = (await deps.fileBytes(db, [workspace_id])).get(workspace_id) ?? 0;
    const quota = await storage.quotaOf(workspace_id);
    const used = texts.messages + log_bytes + row_bytes + file_bytes;
    // One that was full by what was counted may have room by what was measured; the default stays waived until it has.
    const { waived = false } = (await store.findStoredBytes(db, workspace_id)) ?? {};
    const state = stateOf(quota, used, waived);
    const measure_ms = Math.round(performance.now() - begun);
    await store.saveMeasurement(
      ...([db, due, { message_bytes: texts.messages, log_bytes, row_bytes, measure_ms }, state] as const),
    );
    if (state !== 'ok' && state !== due.state)
      log.warn(`storage.${state}`, { workspace_id, used_bytes: used, quota_bytes: quota.bytes, source: quota.source });
  }

  return {
    /** Measures what workspaces keep, so that deleted records make room again and compressed texts count what they take. */
    measure: defineJob({
      job: 'storage.measure',
      payload: z.object({}),
      attempts: 1,
      schedule: '* * * * *',
      alone: true,
      handler: async ({ log, signal }) => {
        await store.noteFreedBytes(db);
        for (const due of await store.findDueMeasurements(db, mostATurn)) {
          if (signal.aborted) return;
          await measure(due, log);
        }
      },
    }),
  };
}
