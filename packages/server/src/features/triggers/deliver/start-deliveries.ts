import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { DueWork } from '../../../lib/due-work.ts';
import { errorFields, type Log } from '../../../lib/log.ts';
import { deliveriesTopic, scopeOf } from '../fire/fire-trigger.ts';
import * as store from '../store.ts';
import { type DeliveryRow, endDelivery, postpone, tryDue } from './delivery-store.ts';
import { messageFor } from './render-message.ts';
import type { Targets } from './trigger-targets.ts';

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
    const scope = scopeOf(trigger, key, log, signal, delivery);
    const text = messageFor(trigger, input);
    // The text of a schedule comes from its owner and that of a manual fire from the caller; all others are
    // untrusted.
    const ours = trigger.type === 'schedule' || delivery.source === 'manual';
    const brings = ours ? [] : (['untrusted'] as const);
    try {
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
