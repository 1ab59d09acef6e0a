import type { Scope } from '../../lib/scope.ts';
import type { Transcript } from '../conversations/transcript.ts';
import type { RunEvent } from './events.ts';
import type { Alongside, RunLog } from './log.ts';
import type { Reply } from './reply.ts';
import type { RunRow } from './store.ts';

/** The reply, the run's end and its last events are there together or not at all: they are one statement. */
export function makeFinish(options: {
  log: RunLog;
  transcript: Transcript;
  alongside(run: RunRow, events: readonly RunEvent[]): Alongside | undefined;
}) {
  const { log, transcript } = options;
  return async (_: Scope, run: RunRow, { parts, metadata }: Reply, last: RunEvent[]): Promise<void> => {
    const end = last.find((event) => event.type === 'run-end');
    if (!end) throw new Error('A run must say how it ended');
    // One that waits for a person is not over.
    const finished_at = end.status === 'awaiting_human_feedback' ? null : new Date().toISOString();
    const message = {
      id: run.message_id,
      role: 'assistant' as const,
      parts: JSON.stringify(parts),
      metadata: JSON.stringify(metadata),
      run_id: run.id,
    };
    const tokens = metadata ? metadata.usage.input_tokens + metadata.usage.output_tokens : 0;
    const reply = transcript.answering(run.group_id, run.conversation_id, message, end.status, tokens);
    const ending = { status: end.status, error: end.error, finished_at, reply };
    await log.append(run.group_id, run.id, last, options.alongside(run, last), ending);
  };
}
