import { conflict } from '@atrium/contract/errors.ts';
import { healthOf } from '@atrium/contract/health.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Delivery, Trigger } from '@atrium/contract/triggers/schema.ts';
import { pausedReason, shownOwner } from '../../execution/owner-rights.ts';
import { omit } from '../../lib/omit.ts';
import type { Scope } from '../../lib/scope.ts';
import { maskSecrets } from '../../lib/secrets/mask-secrets.ts';
import { maskedSecret, timetableIn } from './check-definition.ts';
import type { DeliveryRow } from './deliver/delivery-store.ts';
import type { RunCounts, TriggerRow } from './store.ts';

const shownFires = 5;

/** Why a trigger does not fire. Its owner needs a permission for the agent or the workflow. */
export const pausedReasonOf = (row: TriggerRow) =>
  pausedReason(row, row.target_kind === 'agent' ? ['agents_run', 'agents_edit'] : ['flows_run', 'flows_edit']);

/** Refuses to fire a trigger that is paused. */
export function requireNotPaused(row: TriggerRow): void {
  const reason = pausedReasonOf(row);
  if (reason) throw conflict(`This trigger is paused (${reason}); take it over first`, 'trigger_paused');
}

function nextFires(row: TriggerRow): string[] {
  const timetable = row.enabled && !pausedReasonOf(row) ? timetableIn(row.definition) : undefined;
  const fires: string[] = [];
  let next = row.next_fire_at === null ? undefined : Date.parse(row.next_fire_at);
  for (; timetable && next !== undefined && fires.length < shownFires; next = timetable.after(next))
    fires.push(new Date(next).toISOString());
  return fires;
}

/**
 * Whether the caller may edit the trigger. Only these callers see what it was fired with, and the routing key of a webhook,
 * by which it can be fired.
 */
export const mayEdit = ({ permissions }: Scope, { target_kind }: TriggerRow) =>
  allows(permissions, target_kind === 'agent' ? 'agents_edit' : 'flows_edit');

/** The word for how a sender proves itself is no credential. */
function shownDefinition(scope: Scope, row: TriggerRow): TriggerRow['definition'] {
  if (mayEdit(scope, row)) return row.definition;
  const { auth, ...rest } = row.definition;
  return { ...maskSecrets(rest), ...(auth !== undefined && { auth }) };
}

/** A trigger as the caller sees it. `secret`: a generated one, shown once to the caller that caused it. */
export function presentTrigger(scope: Scope, row: TriggerRow, secret?: string, counts?: RunCounts): Trigger {
  const { target_kind, target_id, version_id } = row;
  const [ofFlow, ofAgent] = [target_kind === 'workflow', target_kind === 'agent'];
  const paused_reason = pausedReasonOf(row);
  return {
    id: row.id,
    group_id: row.group_id,
    workflow_id: ofFlow ? target_id : null,
    assistant_id: ofAgent ? target_id : null,
    name: row.name,
    definition: { ...shownDefinition(scope, row), ...(row.secret !== null && { secret: secret ?? maskedSecret }) },
    routing_key: row.type === 'webhook' && !mayEdit(scope, row) ? maskedSecret : row.routing_key,
    enabled: row.enabled,
    owner: shownOwner(row),
    paused_reason,
    workflow_version_id: ofFlow ? version_id : null,
    assistant_version_id: ofAgent ? version_id : null,
    next_fires: nextFires(row),
    last_fired_at: row.last_fired_at,
    last_run_at: row.last_run_at,
    last_error: row.last_error,
    health: healthOf({
      ...{ enabled: row.enabled, paused_reason, last_used_at: row.last_fired_at },
      last_error: row.last_error ?? (counts?.last_failed || null),
    }),
    runs: { started: counts?.started ?? 0, failed: counts?.failed ?? 0 },
    created_at: row.created_at,
    updated_at: row.updated_at,
    etag: row.etag,
  };
}

export const presentDelivery = (row: DeliveryRow): Delivery =>
  omit(row, ['depth', 'fired_by', 'fired_rights', 'fired_only_of']);
