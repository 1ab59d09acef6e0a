import { z } from 'zod';
import type { Database } from '../../../db/database.ts';
import { defineJob } from '../../../lib/define-job.ts';
import { lowestIdAt } from '../../../lib/ids.ts';
import { deleteOldLogs, workspaceAfter } from './expired-log-store.ts';

/** How many events one statement looks at. */
const atOnce = 2000;
const lowest = lowestIdAt(0);
const dayMs = 86_400_000;

/** Deletes the logs of runs that are over for this many days, in small batches; 0: none. */
export const makeExpireLogs = ({ db, days }: { db: Database; days: number }) =>
  defineJob({
    job: 'runs.expire-logs',
    payload: z.object({}),
    attempts: 1,
    schedule: '29 * * * *',
    async handler({ signal }) {
      if (days === 0) return;
      const before = lowestIdAt(Date.now() - days * dayMs);
      const deleteOf = async (workspace_id: string) => {
        let after: string | undefined = lowest;
        while (after && !signal.aborted)
          after = await deleteOldLogs(db, { workspace_id, after, before, days, limit: atOnce });
      };
      let id = await workspaceAfter(db, lowest);
      for (; id && !signal.aborted; id = await workspaceAfter(db, id)) await deleteOf(id);
    },
  });
