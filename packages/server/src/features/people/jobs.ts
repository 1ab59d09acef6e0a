import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { defineJob } from '../../lib/define-job.ts';
import { deleteExpiredLogins } from './identities/identity-store.ts';
import { deleteExpiredLinks } from './link-store.ts';
import { deleteExpiredSteps } from './second-factors/store.ts';
import { deleteEndedSessions } from './sessions/store.ts';

/** Deletes sessions and links whose time is over; sessions name the address and the browser of a person. */
export const peopleJobs = ({ db, idle_seconds }: { db: Database; idle_seconds: number }) => [
  defineJob({
    job: 'people.remove-ended',
    payload: z.object({}),
    attempts: 1,
    schedule: '53 * * * *',
    handler: async ({ log }) => {
      const sessions = await deleteEndedSessions(db, idle_seconds);
      const links = await deleteExpiredLinks(db);
      const logins = await deleteExpiredLogins(db);
      const steps = await deleteExpiredSteps(db);
      log.debug('people.ended-removed', { sessions, links, logins, steps });
    },
  }),
];
