import type { Db } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { StoredOutboxMessage } from '../../db/outbox.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { webhooksTopic } from './constants.ts';
import { payloadOf } from './delivery-payload.ts';
import { insertDelivery } from './delivery-store.ts';
import { webhooksForEvent } from './store.ts';

/**
 * Writes a delivery for every webhook that is subscribed to an event, in the transaction that takes the event from the
 * outbox.
 */
export function makeWebhookFanOut({ clock, notifier }: { clock: Clock; notifier: Pick<Notifier, 'notify'> }) {
  return async (tx: Db, happened: StoredOutboxMessage): Promise<void> => {
    const { workspace_id, event } = happened;
    const subscribers = await webhooksForEvent(tx, workspace_id, event);
    const at = new Date(clock.now()).toISOString();
    for (const { id: webhook_id } of subscribers)
      await insertDelivery(tx, workspace_id, { id: newId(), webhook_id, event, payload: payloadOf(happened) }, at);
    if (subscribers.length) await notifier.notify(tx, webhooksTopic);
  };
}
