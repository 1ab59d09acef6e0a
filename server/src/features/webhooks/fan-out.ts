import type { Bell } from '../../db/bell.ts';
import type { Db } from '../../db/database.ts';
import type { Announced } from '../../db/outbox.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { insertDelivery } from './delivery-store.ts';
import { webhooksTopic } from './names.ts';
import { payloadOf } from './payload.ts';
import { subscribedTo } from './store.ts';

/** Writes down who is to be told of what happened, in the transaction that takes it from the outbox. */
export function makeWebhookFanOut({ clock, bell }: { clock: Clock; bell: Pick<Bell, 'ring'> }) {
  return async (tx: Db, happened: Announced): Promise<void> => {
    const { workspace_id, event } = happened;
    const subscribers = await subscribedTo(tx, workspace_id, event);
    const at = new Date(clock.now()).toISOString();
    for (const { id: webhook_id } of subscribers)
      await insertDelivery(tx, workspace_id, { id: newId(), webhook_id, event, payload: payloadOf(happened) }, at);
    if (subscribers.length) await bell.ring(tx, webhooksTopic);
  };
}
