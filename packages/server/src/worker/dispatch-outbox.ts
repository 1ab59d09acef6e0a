import type { Database, Db } from '../db/database.ts';
import { type StoredOutboxMessage, takeOutboxMessages } from '../db/outbox.ts';
import type { DueWork } from '../lib/due-work.ts';

/** Called once for every published event, in the transaction that takes the event from the outbox. */
export type OutboxListener = (tx: Db, event: StoredOutboxMessage, signal: AbortSignal) => Promise<void>;

const batchSize = 100;

/** Passes published events to the listeners. A node that dies in a batch rolls the batch back; the next one repeats it. */
export const makeOutboxDispatcher = (db: Database, listeners: readonly OutboxListener[]): DueWork => ({
  topic: 'outbox',
  async work(signal) {
    for (let taken = batchSize; taken === batchSize; ) {
      signal.throwIfAborted();
      taken = await db.transaction(undefined, async (tx) => {
        const events = await takeOutboxMessages(tx, batchSize);
        for (const event of events) for (const listen of listeners) await listen(tx, event, signal);
        return events.length;
      });
    }
    return undefined;
  },
});
