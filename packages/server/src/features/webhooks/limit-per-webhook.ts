import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { DueWork } from '../../lib/due-work.ts';
import { type DeliveryRow, nextDue, takeDue } from './delivery-store.ts';

/** How many attempts one webhook may have under way at this node, and all of them together. */
const lanes = { each: 10, each_failing: 1 };
const most = 200;
/** For how long what was taken is this node's: longer than an attempt can take. */
const lease = 60_000;

const iso = (time: number) => new Date(time).toISOString();

/**
 * Starts the deliveries that are due without waiting for them: each webhook has its own lanes, so that a receiver that
 * hangs delays only its own deliveries. A delivery is taken only when there is a lane for it.
 */
export function limitPerWebhook(
  { db, clock }: { db: Database; clock: Clock },
  /** Never rejects: no caller would handle it. */
  attempt: (delivery: DeliveryRow, signal: AbortSignal) => Promise<void>,
): Pick<DueWork, 'work' | 'over'> {
  const busy = new Map<string, number>();
  const underway = new Set<Promise<void>>();

  function begin(delivery: DeliveryRow, signal: AbortSignal, again: () => void): void {
    const { webhook_id } = delivery;
    busy.set(webhook_id, (busy.get(webhook_id) ?? 0) + 1);
    const attempted = attempt(delivery, signal).finally(() => {
      const left = (busy.get(webhook_id) ?? 1) - 1;
      if (left > 0) busy.set(webhook_id, left);
      else busy.delete(webhook_id);
      underway.delete(attempted);
      again();
    });
    underway.add(attempted);
  }

  return {
    async work(signal, again) {
      const now = clock.now();
      const taking = { now: iso(now), until: iso(now + lease), most: most - underway.size };
      if (taking.most > 0)
        for (const delivery of await takeDue(db, { busy, ...lanes }, taking)) begin(delivery, signal, again);
      // The first delivery that ends then continues the work.
      if (underway.size >= most) return undefined;
      const next = await nextDue(db, { busy, ...lanes });
      return next ? Date.parse(next) : undefined;
    },

    async over() {
      await Promise.all(underway);
    },
  };
}
