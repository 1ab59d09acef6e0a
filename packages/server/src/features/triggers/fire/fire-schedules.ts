import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { DueWork } from '../../../lib/due-work.ts';
import type { Log } from '../../../lib/log.ts';
import { slotsDue } from '../catch-up.ts';
import { timetableIn } from '../check-definition.ts';
import { type Fire, scopeOf, type Targets } from '../deliver/deliveries.ts';
import { pausedReasonOf } from '../present.ts';
import * as store from '../store.ts';

export const schedulesTopic = 'trigger-schedules';

const atOnce = 50;

/**
 * Fires schedules. The row of a schedule has its next slot; one transaction moves that on and writes the deliveries,
 * so that exactly one node fires each slot, or another one when this node dies before the commit.
 */
export function makeSchedules(deps: { db: Database; clock: Clock; log: Log; fire: Fire; targets: Targets }): DueWork {
  const { db, clock, log, fire, targets } = deps;

  async function fireSome(signal: AbortSignal): Promise<number> {
    return db.transaction(undefined, async (tx) => {
      const now = clock.now();
      const due = await store.lockDueTriggers(tx, new Date(now).toISOString(), atOnce);
      for (const trigger of due) {
        const { definition, group_id, id, next_fire_at } = trigger;
        const timetable = timetableIn(definition);
        if (!timetable) continue;
        const catch_up = definition.catch_up ?? 'once';
        const { slots, next } = slotsDue(timetable, Date.parse(next_fire_at as string), now, catch_up);
        // The slots of a schedule pass without a run while it is paused, or its agent or workflow is deleted.
        const wanted = !pausedReasonOf(trigger) && (await targets.exists(scopeOf(trigger, id, log, signal), trigger));
        for (const slot of wanted ? slots : []) {
          const scheduled_for = new Date(slot).toISOString();
          const about = { scheduled_for, timezone: definition.timezone };
          await fire(tx, trigger, { source: 'schedule', dedupe_key: `slot ${scheduled_for}`, payload: {}, about });
        }
        await store.setNextFire(tx, group_id, id, next === undefined ? null : new Date(next).toISOString());
      }
      return due.length;
    });
  }

  return {
    topic: schedulesTopic,
    async work(signal) {
      while ((await fireSome(signal)) === atOnce) signal.throwIfAborted();
      const next = await store.nextDue(db);
      return next === undefined ? undefined : Date.parse(next);
    },
  };
}
