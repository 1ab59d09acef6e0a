import { conflict, notFound } from '@atrium/contract/errors.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { channelTypes, type Delivery, type DeliveryQuery } from '@atrium/contract/triggers/schema.ts';
import type { Database } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import type { Clock } from '../../../lib/clock.ts';
import { newId } from '../../../lib/ids.ts';
import { namesOf, recordOwner, type Scope } from '../../../lib/scope.ts';
import { narrowerOf, onlyOf } from '../../conversations/service.ts';
import { deliveriesTopic, type Fire } from '../deliver/deliveries.ts';
import {
  type DeliveryRow,
  findDelivery,
  firedByOneOf,
  insertDelivery,
  listDeliveries,
} from '../deliver/delivery-store.ts';
import type { Triggers } from '../ports.ts';
import { mayEdit, presentDelivery, requireNotPaused } from '../present.ts';

export interface ManualTriggers {
  /** Fires a trigger, also one that is switched off, so that it can be tried before it is on. */
  fire(scope: Scope, id: string, input: Record<string, unknown>): Promise<Delivery>;
  deliveries(scope: Scope, id: string, query: DeliveryQuery): Promise<Paged<Delivery>>;
  /** Repeats a delivery with the same input, as a new delivery with a new run. */
  redeliver(scope: Scope, id: string, delivery_id: string): Promise<Delivery>;
}

/** Who does not edit the trigger sees what it was fired with by hand, by the caller or another key of its owner. */
const ownIds = (scope: Scope): string[] => [scope.actor.id, recordOwner(scope) ?? scope.actor.id];

/** Manual work with triggers: read their deliveries, fire them, and repeat a delivery. */
export function makeManualTriggers(deps: {
  db: Database;
  notifier: Notifier;
  clock: Clock;
  triggers: Pick<Triggers, 'find'>;
  fire: Fire;
}): ManualTriggers {
  const { db, notifier, clock, triggers, fire } = deps;
  return {
    async fire(scope: Scope, id: string, input: Record<string, unknown>): Promise<Delivery> {
      const trigger = await triggers.find(scope, id, 'run');
      if (channelTypes.some((type) => type === trigger.type))
        throw conflict('This trigger chooses messages of a channel; it has nothing to fire', 'not_fireable');
      requireNotPaused(trigger);
      return db.transaction(scope, async (tx) => {
        const fired = { source: 'manual' as const, dedupe_key: `manual ${newId()}`, payload: input };
        const about = { fired_by: scope.actor.name };
        const by = {
          ...{ fired_by: namesOf(scope.actor), fired_rights: [...scope.permissions] },
          fired_only_of: onlyOf(scope) ?? null,
        };
        return presentDelivery((await fire(tx, trigger, { ...fired, about, ...by })) as DeliveryRow);
      });
    },

    async deliveries(scope: Scope, id: string, query: DeliveryQuery): Promise<Paged<Delivery>> {
      const trigger = await triggers.find(scope, id, 'run');
      const window = pageOf(query);
      const among = mayEdit(scope, trigger) ? undefined : firedByOneOf(ownIds(scope));
      const { rows, total, last } = await listDeliveries(db, scope.workspace_id, trigger.id, query, window, among);
      return pageAnswer(rows.map(presentDelivery), total, window, last);
    },

    async redeliver(scope: Scope, id: string, delivery_id: string): Promise<Delivery> {
      const trigger = await triggers.find(scope, id, 'run');
      const first = await findDelivery(db, scope.workspace_id, trigger.id, delivery_id);
      const isOwn = first?.fired_by?.some((id) => ownIds(scope).includes(id));
      if (!first || !(mayEdit(scope, trigger) || isOwn)) throw notFound('delivery');
      requireNotPaused(trigger);
      return db.transaction(scope, async (tx) => {
        const again = newId();
        const row = await insertDelivery(tx, scope.workspace_id, {
          ...{ id: again, trigger_id: trigger.id, source: 'redelivery', dedupe_key: `redelivery ${again}` },
          ...{
            input: first.input,
            depth: 0,
            redelivery_of: first.id,
            fired_by: namesOf(scope.actor),
            fired_rights: first.fired_rights,
            fired_only_of: narrowerOf(first.fired_only_of ?? undefined, onlyOf(scope)) ?? null,
            fired_at: new Date(clock.now()).toISOString(),
          },
        });
        await notifier.notify(tx, deliveriesTopic);
        return presentDelivery(row as DeliveryRow);
      });
    },
  };
}
