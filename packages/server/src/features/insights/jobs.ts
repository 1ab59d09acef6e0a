import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { defineJob } from '../../lib/define-job.ts';
import type { ConversationAnalysis } from './analyze-conversations.ts';
import { minutesHeldBack, rollUp } from './rollup-store.ts';

/** Minutes that facts may wait before a warning is logged. */
const warn_after = 15;

export function makeInsightJobs(deps: {
  db: Database;
  analyze: ConversationAnalysis;
  /** How long a conversation has no message before it counts as over. */
  after_ms: number;
}) {
  const { db, analyze, after_ms } = deps;
  return {
    rollUp: defineJob({
      job: 'insights.roll-up',
      payload: z.object({}),
      attempts: 1,
      schedule: '* * * * *',
      async handler({ log, signal }) {
        while (await rollUp(db, after_ms)) signal.throwIfAborted();
        const minutes = await minutesHeldBack(db);
        if (minutes >= warn_after)
          log.warn('insights.roll-up-held-back', {
            minutes,
            reason: 'a transaction in this database has been open for long',
          });
      },
    }),
    look: defineJob({
      job: 'insights.look',
      payload: z.object({}),
      attempts: 1,
      // Topics depend on the order in which conversations are sorted, so two jobs must not run at the same time.
      alone: true,
      schedule: '* * * * *',
      async handler({ log, signal }) {
        const conversations = await analyze(log, signal);
        if (conversations) log.debug('insights.analyzed', { conversations });
      },
    }),
  };
}
