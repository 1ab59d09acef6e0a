import { AppError } from '@atrium/contract/errors.ts';
import { z } from 'zod';
import type { Database } from '../../../db/database.ts';
import type { EncryptedBlobStore } from '../../../drivers/blobs/driver.ts';
import { defineJob } from '../../../lib/define-job.ts';
import { errorFields } from '../../../lib/log.ts';
import { hasBlobKeys } from './blob-key-store.ts';

/** Brings blobs that were stored before the switch was set into the form that new ones have. */
export const makeConvertBlobsJob = (deps: { db: Database; blobs: EncryptedBlobStore; encrypt: boolean }) =>
  defineJob({
    job: 'files.convert-blobs',
    payload: z.object({}),
    attempts: 1,
    schedule: '13 * * * *',
    alone: true,
    handler: async ({ log, signal }) => {
      const { db, blobs, encrypt } = deps;
      if (!encrypt && !(await hasBlobKeys(db))) return;
      let converted = 0;
      for await (const { workspace_id, id } of blobs.list(new Date())) {
        if (signal.aborted) return;
        try {
          if (await blobs.convert(workspace_id, id)) converted++;
        } catch (error) {
          // The folder of a workspace that this database does not have may belong to another one.
          if (error instanceof AppError && error.kind === 'not_found') continue;
          log.warn('blob.not-converted', { workspace_id, file_id: id, ...errorFields(error) });
        }
      }
      if (converted > 0) log.info('blobs.converted', { converted, encrypted: encrypt });
    },
  });
