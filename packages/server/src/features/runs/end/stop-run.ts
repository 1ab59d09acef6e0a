import type { Database } from '../../../db/database.ts';
import type { Executor } from '../../../execution/executor.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Approvals } from '../../approvals/service.ts';
import type { LoadedConversation, Transcript } from '../../conversations/ports.ts';
import { withdrawRun } from '../log/run-end-store.ts';
import type { RunLog } from '../ports.ts';
import * as store from '../store.ts';

/** Stops runs that execute, are queued or wait for people. */
export function makeRunStopper(deps: {
  db: Database;
  transcript: Pick<Transcript, 'read'>;
  executor: Executor<store.RunRow, LoadedConversation>;
  approvals: Pick<Approvals, 'stop'>;
  log: Pick<RunLog, 'tell'>;
  beginWaiting(run: store.RunRow): Promise<store.RunRow | undefined>;
}) {
  const { db, transcript, executor, approvals, log, beginWaiting } = deps;

  /**
   * Ends a queued run at once instead of at its turn. A message that is not in the conversation yet is withdrawn;
   * otherwise the stop is recorded in the conversation.
   */
  async function stopWaiting(run: store.RunRow): Promise<boolean> {
    if (!run.said) {
      const { id: run_id, conversation_id, user_message_id, message_id } = run;
      const withdrawn = await withdrawRun(db, run.group_id, run_id, [
        { type: 'run-start', run_id, conversation_id, user_message_id, message_id },
        { type: 'run-end', status: 'stopped', error: null },
      ]);
      if (withdrawn) log.tell(run_id);
      return withdrawn;
    }
    const begun = await beginWaiting(run);
    if (begun) executor.start({ ...begun, stop_requested: true }, executor.takeExtraSlot(run.group_id));
    return begun !== undefined;
  }

  async function stopOne(scope: Scope, run: store.RunRow): Promise<void> {
    const stopped = run.status === 'queued' && (await stopWaiting(run));
    // One that waited and was begun in the meantime is stopped like any other.
    const status = stopped ? undefined : await executor.stop(run.group_id, run.id);
    // No node executes a run that waits for people.
    if (status === 'awaiting_human_feedback') await approvals.stop(scope, run);
  }

  /** Requests the stop of the active run, or else of the next queued one, and returns that run. */
  async function stop(scope: Scope, conversation_id: string): Promise<store.RunRow | undefined> {
    await transcript.read(scope, conversation_id);
    const run =
      (await store.findActiveRun(db, scope.workspace_id, conversation_id)) ??
      (await store.findUnfinishedRun(db, scope.workspace_id, conversation_id));
    if (!run) return undefined;
    await stopOne(scope, run);
    return store.findRun(db, scope.workspace_id, run.id);
  }

  /** Stops the active run and leaves queued runs alone. */
  async function interrupt(scope: Scope, conversation_id: string): Promise<void> {
    const active = await store.findActiveRun(db, scope.workspace_id, conversation_id);
    if (active) await stopOne(scope, active);
  }

  return { stopOne, stop, interrupt };
}
