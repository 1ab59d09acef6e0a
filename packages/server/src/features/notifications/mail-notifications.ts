import { type NotificationKind, notificationKinds } from '@atrium/contract/notifications/kinds.ts';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { defineJob } from '../../lib/define-job.ts';
import type { NoticeMailer } from './ports.ts';
import { takeForMail } from './store.ts';

/** What is read within this time is not mailed, and a person gets one mail in the other. */
const minutes = { unread: 5, between: 30 };
const peopleAtOnce = 100;

/** One line for each kind, with how many there are. */
export function linesOf(kinds: readonly NotificationKind[]): string[] {
  const counts = Map.groupBy(kinds, (kind) => kind);
  return [...counts].map(
    ([kind, all]) => `- ${notificationKinds[kind]}${all.length > 1 ? ` (${all.length} times)` : ''}`,
  );
}

/** The job that mails people what they have not read, in one mail for each. */
export const makeMailJob = ({ db, mailer }: { db: Database; mailer: NoticeMailer }) =>
  defineJob({
    job: 'notifications.mail',
    payload: z.object({}),
    attempts: 1,
    schedule: '*/5 * * * *',
    alone: true,
    handler: async () => {
      await db.transaction(undefined, async (tx) => {
        const taken = await takeForMail(tx, minutes, peopleAtOnce);
        for (const [person_id, rows] of Map.groupBy(taken, (row) => row.person_id)) {
          const [{ tenant_id }] = rows as [(typeof rows)[number]];
          const subject = rows.length === 1 ? 'A notification from Atrium' : `${rows.length} notifications from Atrium`;
          const send = await mailer.prepareNotice(tenant_id, person_id, {
            ...{ subject, lines: linesOf(rows.map(({ kind }) => kind)) },
          });
          await send?.(tx);
        }
      });
    },
  });
