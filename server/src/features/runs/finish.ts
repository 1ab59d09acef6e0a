import type { Database } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Transcript } from '../conversations/transcript.ts';
import type { RunEvent } from './events.ts';
import type { Alongside, RunLog } from './log.ts';
import type { Reply } from './reply.ts';
import type { RunRow } from './store.ts';

/** The reply, the run's end and its last events are there together or not at all. */
export function makeFinish(options: {
  db: Database;
  log: RunLog;
  transcript: Transcript;
  alongside(run: RunRow, events: readonly RunEvent[]): Alongside | undefined;
}) {
  const { db, log, transcript } = options;
  return async (_: Scope, run: RunRow, reply: Reply, last: RunEvent[]): Promise<void> => {
    const end = last.find((event) => event.type === 'run-end');
    if (!end) throw new Error('A run must say how it ended');
    const usage = reply.metadata?.usage;
    const events = await db.transaction(undefined, async (tx) => {
      await transcript.append(tx, run.group_id, run.conversation_id, {
        id: run.message_id,
        role: 'assistant',
        parts: JSON.stringify(reply.parts),
        metadata: JSON.stringify(reply.metadata),
        run_id: run.id,
      });
      if (usage)
        await transcript.addTokens(tx, run.group_id, run.conversation_id, usage.input_tokens + usage.output_tokens);
      await transcript.setStatus(tx, run.group_id, run.conversation_id, end.status);
      await options.alongside(run, last)?.(tx);
      return log.appendIn(tx, run.group_id, run.id, last, end);
    });
    log.tell(run.id, events);
  };
}
