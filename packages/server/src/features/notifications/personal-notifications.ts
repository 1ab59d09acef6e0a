import type { Database } from '../../db/database.ts';
import type { PersonalRecords } from '../personal-data/ports.ts';
import * as devices from './push/push-store.ts';
import * as store from './store.ts';

/** The notifications of a person and the devices that these are sent to. */
export const makePersonalNotifications = ({ db }: { db: Database }): PersonalRecords => ({
  kind: 'notifications',
  async *entries({ person_id }, count) {
    const notifications = await store.listAllOf(db, person_id);
    const push_subscriptions = await devices.listSubscriptions(db, person_id);
    if (notifications.length + push_subscriptions.length === 0) return;
    for (let counted = 0; counted < notifications.length + push_subscriptions.length; counted++) count();
    yield { name: 'notifications.json', content: [JSON.stringify({ notifications, push_subscriptions }, null, 2)] };
  },
  erase: async ({ person_id }) => ({
    notifications: await store.deleteAllOf(db, person_id),
    push_subscriptions: await devices.deleteAllOf(db, person_id),
  }),
});
