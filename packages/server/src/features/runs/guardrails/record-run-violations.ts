import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { Db } from '../../../db/database.ts';
import type { Transcript } from '../../conversations/ports.ts';
import type { NewViolations } from '../../guardrails/ports.ts';
import type { Alongside } from '../ports.ts';
import type { RunRow } from '../store.ts';

type Verdict = Extract<RunEvent, { type: 'guardrail' }>;

/**
 * Counts violations in the transaction that writes them to the run's log, so that a takeover does not count them twice.
 */
export function makeViolationRecorder(options: {
  transcript: Transcript;
  record(tx: Db, violations: NewViolations): Promise<unknown>;
}) {
  const { transcript, record } = options;
  return (run: RunRow, events: readonly RunEvent[]): Alongside | undefined => {
    const verdicts = events.filter((event): event is Verdict => event.type === 'guardrail' && event.action !== null);
    if (verdicts.length === 0) return undefined;
    return async (tx) => {
      const held = await transcript.settingsOf(tx, run.group_id, run.conversation_id);
      if (!held) return;
      for (const { stage, action, objections } of verdicts)
        await record(tx, {
          workspace_id: run.group_id,
          conversation_id: run.conversation_id,
          run_id: run.id,
          message_id: run.message_id,
          stage,
          action: action ?? 'warn',
          verdicts: objections,
          block_after: held.block_after_violations,
          block_message: held.block_message,
        });
    };
  };
}
