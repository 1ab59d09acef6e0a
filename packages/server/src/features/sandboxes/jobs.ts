import { sandboxEngineNames } from '@atrium/contract/sandboxes/engines.ts';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { SandboxEngines } from '../../drivers/sandboxes/driver.ts';
import { defineJob } from '../../lib/define-job.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import type { StoredFiles } from './files/stored-files.ts';
import type { StopNotifier } from './stop-notifier.ts';
import { deleteIdle, deleteOfWorkspace, type SandboxRef, stopIdle } from './store.ts';
import { deleteOldTerminals } from './terminals/store.ts';

export const idleSeconds = 15 * 60;

export function makeSandboxJobs(options: {
  db: Database;
  stopNotifier: StopNotifier;
  engines: SandboxEngines;
  files: StoredFiles;
}) {
  const { db, stopNotifier, engines, files } = options;
  const destroy = async ({ id, engine, ref }: Pick<SandboxRef, 'id' | 'engine' | 'ref'>) => {
    await stopNotifier.notify(id);
    const driver = engines.driver(engine);
    if (!driver) throw new Error(`The engine ${engine} is not configured`);
    await driver.destroy(ref ?? id);
  };
  const destroyWithFiles = async (place: SandboxRef) => {
    await destroy(place);
    await files.forget(place);
  };

  /** A failure with one sandbox must not keep the rest from being processed. */
  async function each(places: readonly SandboxRef[], log: Log, work: (place: SandboxRef) => Promise<unknown>) {
    for (const place of places)
      await work(place).catch((error) =>
        log.warn('A sandbox could not be cleared away', { sandbox_id: place.id, ...errorFields(error) }),
      );
  }

  return {
    /** Stops persistent sandboxes that are idle, and deletes idle sandboxes that are not persistent. */
    idle: defineJob({
      job: 'sandboxes.idle',
      payload: z.object({}),
      attempts: 1,
      schedule: '* * * * *',
      handler: async ({ log }) => {
        await each(await stopIdle(db, idleSeconds), log, async ({ engine, ref, id }) => {
          await stopNotifier.notify(id);
          await engines.driver(engine)?.stop(ref ?? id);
        });
        await each(await deleteIdle(db, idleSeconds), log, destroyWithFiles);
        await deleteOldTerminals(db);
      },
    }),

    /** Enqueued by the transaction that deletes the row. */
    destroy: defineJob({
      job: 'sandboxes.destroy',
      payload: z.object({ id: z.guid(), engine: z.enum(sandboxEngineNames), ref: z.string().nullable() }),
      attempts: 25,
      handler: (_, place) => destroy(place),
    }),

    /** Enqueued by the transaction that deletes a workspace. */
    removeWorkspace: defineJob({
      job: 'sandboxes.remove-workspace',
      payload: z.object({ workspace_id: z.guid() }),
      attempts: 25,
      handler: async ({ log }, { workspace_id }) =>
        each(await deleteOfWorkspace(db, workspace_id), log, destroyWithFiles),
    }),
  };
}
