import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { defineJob, type Job } from '../../lib/define-job.ts';
import { makeMailJob } from './mail-notifications.ts';
import type { NoticeMailer } from './ports.ts';
import { deleteOld } from './store.ts';

export const notificationJobs = (db: Database, mailer: NoticeMailer | undefined): Job[] => [
  defineJob({
    job: 'notifications.expire',
    payload: z.object({}),
    attempts: 1,
    schedule: '37 3 * * *',
    handler: async () => {
      await deleteOld(db);
    },
  }),
  ...(mailer ? [makeMailJob({ db, mailer })] : []),
];
