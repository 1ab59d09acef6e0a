import type { NotificationKind } from '@atrium/contract/notifications/kinds.ts';
import { type NotificationWays, type Preferences, usualWays } from '@atrium/contract/preferences/schema.ts';
import type { Db } from '../../db/database.ts';
import { publishEvents, type StoredOutboxMessage } from '../../db/outbox.ts';
import type { Job } from '../../lib/define-job.ts';
import { newId } from '../../lib/ids.ts';
import { findNotice, type Notice } from './find-recipients.ts';
import type { JobQueue, PeopleLookup } from './ports.ts';
import { listIdsOfPeople } from './push/push-store.ts';
import * as store from './store.ts';

/** No more people are told of one event. */
const mostPeople = 200;

const waysOf = (preferences: Preferences | undefined, kind: NotificationKind): NotificationWays =>
  preferences?.notifications[kind] ?? usualWays;

/** Notifies people of events, in the transaction that takes these from the outbox. */
export function makeNotifyPeople(deps: { people: PeopleLookup; queue: JobQueue; pushJob: Job }) {
  const { people, queue, pushJob } = deps;

  async function recipientsOf(tx: Db, workspace_id: string, notice: Notice): Promise<string[]> {
    const found =
      notice.people === 'holders'
        ? await people.holders(tx, workspace_id, notice.needs, mostPeople)
        : notice.people.slice(0, mostPeople);
    return found.filter((id) => !notice.except?.includes(id));
  }

  return async (tx: Db, message: StoredOutboxMessage): Promise<void> => {
    const notice = await findNotice(tx, message);
    if (!notice) return;
    const { workspace_id } = message;
    const { kind, needs, target, parent, actor_id = null, dedupe } = notice;
    const ids = await recipientsOf(tx, workspace_id, notice);
    if (ids.length === 0) return;
    const preferences = await people.preferences(tx, ids);
    const rows = ids.flatMap((person_id): store.NewNotification[] => {
      const ways = waysOf(preferences.get(person_id), kind);
      if (!ways.in_app) return [];
      return [
        {
          ...{ id: newId(), person_id, kind, target_kind: target[0], target_id: target[1] },
          ...{ parent_kind: parent?.[0] ?? null, parent_id: parent?.[1] ?? null, actor_id, needs },
          ...{ dedupe_key: `${kind} ${dedupe} ${kind === 'shared' ? '' : target[1]}`, mail: ways.mail },
        },
      ];
    });
    if (rows.length === 0) return;
    const stored = await store.insertNotifications(tx, workspace_id, rows);
    const wantsPush = (person_id: string) => waysOf(preferences.get(person_id), kind).push;
    const pushed = new Map(
      stored.filter(({ person_id }) => wantsPush(person_id)).map(({ id, person_id }) => [person_id, id]),
    );
    for (const { id: push_subscription_id, person_id } of await listIdsOfPeople(tx, [...pushed.keys()]))
      await queue.enqueue(
        tx,
        pushJob,
        { push_subscription_id, notification_id: pushed.get(person_id) },
        // One at a time for each person: addresses that never answer keep nobody else's jobs waiting.
        { queue: `push ${person_id}` },
      );
    await publishEvents(
      tx,
      workspace_id,
      ...stored.map(({ id, person_id }) => ({
        ...{ event: 'live:notification.created', subject_id: null, cause: null },
        data: { notification_id: id, person_id, type: kind },
      })),
    );
  };
}
