import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { defineJob } from '../../lib/define-job.ts';
import type { makeConversationAnalysis } from './analyze-conversations.ts';
import { heldBack, rollUp } from './rollup.ts';

/** Minutes that facts may wait before somebody is told. */
const patience = 15;

export function makeInsightJobs(deps: {
  db: Database;
  look: ReturnType<typeof makeConversationAnalysis>;
  /** How long nobody says anything before a conversation counts as over. */
  after_ms: number;
}) {
  const { db, look, after_ms } = deps;
  return {
    rollUp: defineJob({
      job: 'insights.roll-up',
      payload: z.object({}),
      attempts: 1,
      schedule: '* * * * *',
      async handler({ log, signal }) {
        while (await rollUp(db, after_ms)) signal.throwIfAborted();
        const minutes = await heldBack(db);
        if (minutes >= patience)
          log.warn('Figures are not added up: a transaction in this database has been open for long', { minutes });
      },
    }),
    look: defineJob({
      job: 'insights.look',
      payload: z.object({}),
      attempts: 1,
      // Which topics there are depends on the order in which conversations are sorted: two side by side would mix it up.
      alone: true,
      schedule: '* * * * *',
      async handler({ log, signal }) {
        const looked = await look(log, signal);
        if (looked) log.debug('Looked at conversations that are over', { looked });
      },
    }),
  };
}
