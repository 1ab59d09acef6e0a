import { AppError, InvalidRequest, notFound } from '@atrium/contract/errors.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import { within } from '../../../execution/effective-permissions.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { DueWork } from '../../../lib/due-work.ts';
import { newId } from '../../../lib/ids.ts';
import { errorFields, type Log } from '../../../lib/log.ts';
import type { Scope } from '../../../lib/scope.ts';
import { narrowerOf } from '../../conversations/service.ts';
import type { TargetKind, TargetStart, TriggerTarget } from '../ports.ts';
import { requireNotPaused } from '../present.ts';
import type { TriggerRow } from '../store.ts';
import * as store from '../store.ts';
import { type DeliveryRow, endDelivery, insertDelivery, type NewDelivery, postpone, tryDue } from './delivery-store.ts';
import { messageFor } from './render-message.ts';

export const deliveriesTopic = 'trigger-deliveries';

export interface TriggerFiring extends Pick<NewDelivery, 'source' | 'dedupe_key'> {
  /** The message or event that fired the trigger, as the run gets it. */
  payload: Record<string, unknown>;
  /** Further fields for `trigger` in the input of the run. */
  about?: Record<string, unknown>;
  fired_by?: string[];
  /** The permissions of the caller that the input comes from. */
  fired_rights?: Permission[];
  /** The person whose conversations alone that caller sees. */
  fired_only_of?: string | null;
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
    const { source, dedupe_key, depth = 0, fired_by = null, fired_rights = null, fired_only_of = null } = fired;
    const [id, fired_at] = [newId(), new Date(clock.now()).toISOString()];
    const about = { id: trigger_id, name, type, source, delivery_id: id, fired_at, ...fired.about };
    const input = { ...definition.input, ...fired.payload, trigger: about };
    const made = { id, trigger_id, source, dedupe_key, input, depth, fired_at, redelivery_of: null };
    const row = await insertDelivery(tx, group_id, { ...made, fired_by, fired_rights, fired_only_of });
    if (!row) return undefined;
    await notifier.notify(tx, deliveriesTopic);
    return row;
  };
}

/**
 * The scope of a trigger's runs: the permissions that it was saved with, as far as its owner holds them now, under the
 * trigger's own name. With a manual fire, the run has only permissions that the caller holds, too, and sees only
 * conversations that both the owner and the caller see.
 */
export function scopeOf(
  trigger: TriggerRow,
  request_id: string,
  log: Log,
  signal: AbortSignal,
  delivery: Partial<Pick<DeliveryRow, 'fired_by' | 'fired_rights' | 'fired_only_of' | 'source'>> = {},
): Scope {
  const { group_id: workspace_id, id, name, owner, owner_permissions } = trigger;
  const { fired_by, fired_rights, fired_only_of, source } = delivery;
  const { permissions, made_by = [], ...principal } = trigger.principal;
  const actor = {
    kind: 'trigger' as const,
    id,
    name,
    delivery_id: request_id,
    behind: [...new Set([...(owner ? [owner.id] : []), ...made_by, ...(fired_by ?? [])])],
  };
  // A caller who fires it by hand chooses the input, and must not read documents as the owner.
  const isOfOwner = (fired_rights ?? null) === null || (source === 'manual' && fired_by?.[0] === owner?.id);
  const isOfPerson = owner?.kind === 'person' && isOfOwner;
  const isOfAccount = owner?.kind === 'service_account' && isOfOwner;
  // Like a key of the owner, it sees others' conversations only if the owner does.
  const ofOthers = allows(new Set(owner_permissions), 'conversations_read');
  const only_of = narrowerOf(owner && !ofOthers ? owner.id : undefined, fired_only_of ?? undefined);
  const person = {
    ...(isOfPerson && { person_id: owner.id }),
    ...(isOfAccount && { record_owner_id: owner.id }),
    ...(only_of !== undefined && { conversations_of: only_of }),
  };
  const asked = { ...person, ...(owner && { owner_id: owner.id }), workspace_id, request_id, log, signal };
  const scope = { ...principal, ...asked, permissions: new Set(permissions), actor };
  return within(within(scope, owner_permissions), fired_rights ?? null);
}

interface Target {
  target_kind: TargetKind;
  target_id: string;
}

export interface Targets {
  exists(scope: Scope, target: Target): Promise<boolean>;
  require(scope: Scope, target: Target): Promise<void>;
  requireVersion(scope: Scope, target: Target, version_id: string): Promise<void>;
  /** What a run would miss with this input. */
  missingInputs(
    scope: Scope,
    target: Target & { version_id: string | null },
    input: Readonly<Record<string, unknown>>,
  ): Promise<string[]>;
  start(scope: Scope, target: Target, start: TargetStart): Promise<string>;
}

/** The targets of triggers by kind; the later of two of one kind wins. A kind without a target has no records. */
export function makeTargets(list: readonly TriggerTarget[]): Targets {
  const byKind = new Map(list.map((target) => [target.kind, target]));
  const exists = async (scope: Scope, { target_kind, target_id }: Target) =>
    (await byKind.get(target_kind)?.exists(scope, target_id)) ?? false;

  return {
    exists,

    async require(scope: Scope, target: Target): Promise<void> {
      if (!(await exists(scope, target))) throw notFound(target.target_kind);
    },

    async requireVersion(scope: Scope, { target_kind, target_id }: Target, version_id: string): Promise<void> {
      if (!(await byKind.get(target_kind)?.hasVersion(scope, target_id, version_id))) throw notFound('version');
    },

    missingInputs: async (scope, target, input) =>
      (await byKind.get(target.target_kind)?.missingInputs?.(scope, target, input)) ?? [],

    start(scope: Scope, { target_kind }: Target, start: TargetStart): Promise<string> {
      const target = byKind.get(target_kind);
      if (!target) throw notFound(target_kind);
      return target.start(scope, start);
    },
  };
}

/** A start that takes longer than the lease is tried by another node too; the key makes both the same start. */
const taking = { at_once: 20, lease: 60_000 };
const pauses = [1000, 5000, 30_000, 120_000, 600_000];

/** Whether another attempt may help. */
const mayRetry = (error: unknown) =>
  error instanceof AppError
    ? error.kind === 'unavailable' || error.kind === 'too_many'
    : !(error instanceof InvalidRequest);

function reasonOf(error: unknown, at: string): store.TriggerError {
  if (error instanceof AppError) return { code: error.code, message: error.message, at };
  if (error instanceof InvalidRequest) {
    const [first] = error.validationErrors;
    return { code: 'invalid', message: `${first?.loc.join('.')}: ${first?.msg}`, at };
  }
  return { code: 'internal', message: 'Something went wrong on our side', at };
}

/**
 * Starts runs for deliveries. The id of the delivery is the key of the start, so that several attempts start one run.
 */
export function makeDeliveries(deps: { db: Database; clock: Clock; log: Log; targets: Targets }): DueWork {
  const { db, clock, log, targets } = deps;
  const iso = (time: number) => new Date(time).toISOString();
  const outboxMessage = (delivery: DeliveryRow, event: string, more: object) => ({
    event,
    subject_id: delivery.trigger_id,
    cause: delivery.id,
    data: { trigger_id: delivery.trigger_id, delivery_id: delivery.id, source: delivery.source, ...more },
  });

  async function recordStart(delivery: DeliveryRow, run_id: string): Promise<void> {
    const end = { status: 'started' as const, run_id, error: null, at: iso(clock.now()) };
    await endDelivery(db, delivery, end, outboxMessage(delivery, 'trigger.fired', { run_id }));
  }

  async function recordFailure(delivery: DeliveryRow, error: unknown): Promise<void> {
    const reason = reasonOf(error, iso(clock.now()));
    const pause = pauses[delivery.attempts - 1];
    if (reason.code === 'internal') log.warn('trigger.start_failed', errorFields(error));
    if (pause !== undefined && mayRetry(error)) {
      await store.noteFailed(db, delivery.group_id, delivery.trigger_id, reason);
      await postpone(db, delivery, iso(clock.now() + pause), reason);
      return;
    }
    const end = { status: 'failed' as const, run_id: null, error: reason, at: reason.at };
    await endDelivery(db, delivery, end, outboxMessage(delivery, 'trigger.failed', { error: reason }));
  }

  async function start(delivery: DeliveryRow, signal: AbortSignal): Promise<void> {
    const { group_id, trigger_id, id: key, input } = delivery;
    const trigger = await store.findTrigger(db, group_id, trigger_id);
    if (!trigger) return;
    const { target_id, version_id, name } = trigger;
    const text = messageFor(trigger, input);
    // The text of a schedule comes from its owner and that of a manual fire from the caller; all others are
    // untrusted.
    const ours = trigger.type === 'schedule' || delivery.source === 'manual';
    const brings = ours ? [] : (['untrusted'] as const);
    try {
      // Read with the trigger: an owner who was deactivated after it fired starts nothing.
      requireNotPaused(trigger);
      const scope = scopeOf(trigger, key, log, signal, delivery);
      await recordStart(
        delivery,
        await targets.start(scope, trigger, { target_id, version_id, input, text, brings, name, key }),
      );
    } catch (error) {
      signal.throwIfAborted();
      await recordFailure(delivery, error);
    }
  }

  return { topic: deliveriesTopic, work: tryDue(deps, taking, start) };
}
