import type { Db } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { StoredOutboxMessage } from '../../db/outbox.ts';
import { eventsTopic } from './constants.ts';
import { describeEvent } from './describe-event.ts';
import { insertEvent } from './store.ts';

export { isLiveOnly } from './describe-event.ts';

/** Writes events of watched workspaces to their log, in the transaction that takes them from the outbox. */
export const makeEventLog =
  ({ notifier }: { notifier: Pick<Notifier, 'notify'> }) =>
  async (tx: Db, message: StoredOutboxMessage): Promise<void> => {
    const event = describeEvent(message);
    if (!event) return;
    const seq = await insertEvent(tx, message.workspace_id, event);
    if (seq !== undefined) await notifier.notify(tx, eventsTopic, message.workspace_id);
  };
