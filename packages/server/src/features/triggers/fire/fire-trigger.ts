import type { Permission } from '@atrium/contract/permissions.ts';
import type { Db } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import { within } from '../../../execution/effective-permissions.ts';
import type { Clock } from '../../../lib/clock.ts';
import { newId } from '../../../lib/ids.ts';
import type { Log } from '../../../lib/log.ts';
import type { Scope } from '../../../lib/scope.ts';
import { type DeliveryRow, insertDelivery, type NewDelivery } from '../deliver/delivery-store.ts';
import type { TriggerRow } from '../store.ts';

export const deliveriesTopic = 'trigger-deliveries';

export interface TriggerFiring extends Pick<NewDelivery, 'source' | 'dedupe_key'> {
  /** The message or event that fired the trigger, as the run gets it. */
  payload: Record<string, unknown>;
  /** Further fields for `trigger` in the input of the run. */
  about?: Record<string, unknown>;
  fired_by?: string[];
  /** The permissions of the caller that the input comes from. */
  fired_rights?: Permission[];
  depth?: number;
}

export type Fire = (tx: Db, trigger: TriggerRow, fired: TriggerFiring) => Promise<DeliveryRow | undefined>;

/**
 * Records that a trigger has fired, in the caller's transaction; the delivery then starts a run. Undefined for a
 * duplicate `dedupe_key`.
 */
export function makeFireTrigger({ clock, notifier }: { clock: Clock; notifier: Pick<Notifier, 'notify'> }): Fire {
  return async (tx: Db, trigger: TriggerRow, fired: TriggerFiring): Promise<DeliveryRow | undefined> => {
    const { id: trigger_id, group_id, name, type, definition } = trigger;
    const { source, dedupe_key, depth = 0, fired_by = null, fired_rights = null } = fired;
    const [id, fired_at] = [newId(), new Date(clock.now()).toISOString()];
    const about = { id: trigger_id, name, type, source, delivery_id: id, fired_at, ...fired.about };
    const input = { ...definition.input, ...fired.payload, trigger: about };
    const made = { id, trigger_id, source, dedupe_key, input, depth, fired_at, redelivery_of: null };
    const row = await insertDelivery(tx, group_id, { ...made, fired_by, fired_rights });
    if (!row) return undefined;
    await notifier.notify(tx, deliveriesTopic);
    return row;
  };
}

/**
 * The scope of a trigger's runs: the permissions of its maker under the trigger's own name. With a manual fire, the
 * run has only permissions that both the maker and the caller hold.
 */
export function scopeOf(
  trigger: TriggerRow,
  request_id: string,
  log: Log,
  signal: AbortSignal,
  { fired_by, fired_rights }: Partial<Pick<DeliveryRow, 'fired_by' | 'fired_rights'>> = {},
): Scope {
  const { group_id: workspace_id, id, name } = trigger;
  const { permissions, made_by = [], ...principal } = trigger.principal;
  const actor = {
    kind: 'trigger' as const,
    id,
    name,
    delivery_id: request_id,
    behind: [...made_by, ...(fired_by ?? [])],
  };
  const scope = { ...principal, permissions: new Set(permissions), actor, workspace_id, request_id, log, signal };
  return within(scope, fired_rights ?? null);
}
