import { notFound } from '@atrium/contract/errors.ts';
import { notificationKinds } from '@atrium/contract/notifications/kinds.ts';
import type { Notification, NotificationQuery } from '@atrium/contract/notifications/schema.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Database } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import type { PeopleLookup } from './ports.ts';
import * as store from './store.ts';

/** The notifications of the person who is signed in. */
export interface Notifications {
  list(scope: Scope, query: NotificationQuery): Promise<Paged<Notification>>;
  count(scope: Scope): Promise<{ unread: number }>;
  mark(scope: Scope, id: string, isRead: boolean): Promise<Notification>;
  markAllRead(scope: Scope, through: string | undefined): Promise<{ unread: number }>;
}

const mostCounted = 1000;
const reference = (kind: string | null, id: string | null) => (kind && id ? { kind, id } : null);

export function makeNotifications({ db, people }: { db: Database; people: PeopleLookup }): Notifications {
  async function present(scope: Scope, rows: readonly store.NotificationRow[]): Promise<Notification[]> {
    const nameOf = await people.nameActors(
      scope,
      rows.map(({ actor_id }) => actor_id),
    );
    return rows.map(({ target_kind, target_id, parent_kind, parent_id, actor_id, ...row }) => ({
      ...row,
      text: notificationKinds[row.kind],
      target: reference(target_kind, target_id),
      parent: reference(parent_kind, parent_id),
      actor: actor_id === null ? null : nameOf(actor_id),
    }));
  }

  const count = async ({ actor }: Scope) => ({ unread: await store.countUnread(db, actor.id, mostCounted) });

  return {
    async list(scope, query) {
      const window = pageOf(query);
      const { rows, total, last } = await store.listNotifications(db, scope.actor.id, window, query);
      return pageAnswer(await present(scope, rows), total, window, last);
    },

    count,

    async mark(scope, id, isRead) {
      const row = await store.markNotification(db, scope.actor.id, id, isRead);
      if (!row) throw notFound('notification');
      return (await present(scope, [row]))[0] as Notification;
    },

    async markAllRead(scope, through) {
      await store.markAllRead(db, scope.actor.id, through);
      return count(scope);
    },
  };
}
