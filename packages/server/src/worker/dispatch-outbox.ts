import type { Database, Db } from '../db/database.ts';
import { type StoredOutboxMessage, takeOutboxMessages } from '../db/outbox.ts';
import type { DueWork } from '../lib/due-work.ts';

/** Somebody who is told of everything that was announced, once, in the transaction that takes it from the outbox. */
export type OutboxListener = (tx: Db, happened: StoredOutboxMessage, signal: AbortSignal) => Promise<void>;

const atOnce = 100;

/** Hands on what happened. A node that dies in the middle has handed on nothing, and the next begins there. */
export const makeOutbox = (db: Database, hearers: readonly OutboxListener[]): DueWork => ({
  topic: 'outbox',
  async work(signal) {
    for (let taken = atOnce; taken === atOnce; ) {
      signal.throwIfAborted();
      taken = await db.transaction(undefined, async (tx) => {
        const announced = await takeOutboxMessages(tx, atOnce);
        for (const happened of announced) for (const hear of hearers) await hear(tx, happened, signal);
        return announced.length;
      });
    }
    return undefined;
  },
});
