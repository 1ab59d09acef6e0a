import type { Db } from '../../../db/database.ts';
import type { StoredOutboxMessage } from '../../../db/outbox.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { type Fire, scopeOf, type Targets } from '../deliver/deliveries.ts';
import { findById } from '../deliver/delivery-store.ts';
import { pausedReasonOf } from '../present.ts';
import { noteFailed, triggersForEvent } from '../store.ts';

/** How many triggers may start each other in a row. */
const deepest = 5;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Fires the triggers that wait for an event. Events that the run of a trigger causes never fire the same trigger. */
export function makeEventTriggers({
  clock,
  log,
  fire,
  targets,
}: {
  clock: Clock;
  log: Log;
  fire: Fire;
  targets: Targets;
}) {
  return async (tx: Db, event_message: StoredOutboxMessage, signal: AbortSignal): Promise<void> => {
    const { id, workspace_id, event, subject_id, cause, data, created_at } = event_message;
    const triggers = await triggersForEvent(tx, workspace_id, event, subject_id);
    if (triggers.length === 0) return;
    const before = cause !== null && uuid.test(cause) ? await findById(tx, workspace_id, cause) : undefined;
    const depth = before ? before.depth + 1 : 0;
    for (const trigger of triggers) {
      if (before?.trigger_id === trigger.id) continue;
      if (pausedReasonOf(trigger)) continue;
      if (!(await targets.exists(scopeOf(trigger, trigger.id, log, signal), trigger))) continue;
      if (depth > deepest) {
        const message = `More than ${deepest} triggers have started each other`;
        const at = new Date(clock.now()).toISOString();
        await noteFailed(tx, workspace_id, trigger.id, { code: 'too_deep', message, at });
        continue;
      }
      const about = { event, happened_at: created_at };
      await fire(tx, trigger, { source: 'event', dedupe_key: `event ${id}`, payload: data, about, depth });
    }
  };
}
