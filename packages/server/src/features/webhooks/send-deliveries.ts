import type { Database, Db } from '../../db/database.ts';
import { publishEvents } from '../../db/outbox.ts';
import { explainRefusal, type Web, WebRefused } from '../../drivers/web/driver.ts';
import type { Clock } from '../../lib/clock.ts';
import type { DueWork } from '../../lib/due-work.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import { signatureOf } from '../../lib/secrets/webhook-signature.ts';
import type { Keyring } from '../keyring/service.ts';
import { secretPurpose, webhooksTopic } from './constants.ts';
import { type DeliveryRow, noteAttempt } from './delivery-store.ts';
import { limitPerWebhook } from './limit-per-webhook.ts';
import { disableWebhook, findWebhook, noteDelivered, noteFailed, type WebhookError, type WebhookRow } from './store.ts';

const [second, minute, hour] = [1000, 60_000, 3_600_000];
/** Pauses before the next attempts; after the last of them a delivery has failed. */
const pauses = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
/** A webhook to which nothing got through for so long is switched off. */
const longestFailure = 5 * 24 * hour;
const timeout = 15 * second;

interface Tried {
  response_status: number | null;
  error: Omit<WebhookError, 'at'> | null;
  /** How long the receiver asks us to wait. */
  wait_ms?: number;
}

/** Reads Retry-After in seconds; a date, which is rare, counts as a minute. At most a day. */
function waitOf(header: string | undefined): number {
  if (header === undefined) return 0;
  return /^\d{1,9}$/.test(header) ? Math.min(Number(header) * second, 24 * hour) : minute;
}

/** Sends signed deliveries to their receivers until they arrive or have failed too often. */
export function makeDeliverySender(deps: {
  db: Database;
  clock: Clock;
  log: Log;
  keyring: Keyring;
  web: Web;
}): DueWork {
  const { db, clock, log, keyring, web } = deps;
  const iso = (time: number) => new Date(time).toISOString();

  async function post(webhook: WebhookRow, { id, payload }: DeliveryRow, signal: AbortSignal): Promise<Tried> {
    const secret = await keyring.open(webhook.group_id, secretPurpose(webhook.id), webhook.secret);
    const timestamp = String(Math.floor(clock.now() / 1000));
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Atrium-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatureOf(secret, { id, timestamp, body: payload }),
    };
    try {
      const request = {
        method: 'POST' as const,
        headers,
        body: payload,
        timeout_ms: timeout,
        max_bytes: 64 * 1024,
        // Redirects are not followed: the request was signed for this address only.
        follow: false,
        signal,
      };
      const { status, headers: told, body } = await web.fetch(webhook.url, request);
      // What it says does not matter, only that it has heard.
      body.on('error', () => {}).destroy();
      if (status >= 200 && status < 300) return { response_status: status, error: null };
      const error = { code: 'refused', message: `The other side answered ${status}` };
      return { response_status: status, error, wait_ms: waitOf(told['retry-after']) };
    } catch (error) {
      if (!(error instanceof WebRefused)) throw error;
      return {
        response_status: null,
        error: { code: error.code, message: `Not delivered: ${explainRefusal(error, 'members')}` },
      };
    }
  }

  /** The notice of the webhook says why; the webhooks that subscribe to `webhook.disabled` get an event. */
  async function turnOff(tx: Db, { group_id, id, url }: WebhookRow, since: string, at: string, gone: boolean) {
    const why = gone ? 'the other side says that it is gone for good' : `nothing has arrived since ${since}`;
    const message = `Switched off: ${why}. Mend the other side and set enabled to true.`;
    await disableWebhook(tx, group_id, id, { code: gone ? 'gone' : 'failing', message, at });
    log.warn('A webhook was switched off', { webhook_id: id });
    const data = { webhook_id: id, url, failing_since: since };
    await publishEvents(tx, group_id, { event: 'webhook.disabled', subject_id: id, cause: null, data });
  }

  async function note(webhook: WebhookRow, delivery: DeliveryRow, tried: Tried): Promise<void> {
    const { response_status, error, wait_ms = 0 } = tried;
    const gone = response_status === 410;
    const at = iso(clock.now());
    const { group_id, id } = webhook;
    await db.transaction(undefined, async (tx) => {
      if (!error) {
        const end = { status: 'delivered', response_status, error, next_attempt_at: null, finished_at: at } as const;
        if (await noteAttempt(tx, delivery, end)) await noteDelivered(tx, group_id, id, at);
        return;
      }
      const trouble = { ...error, at };
      // With jitter, so that a receiver that comes back after a failure is not overrun.
      const pause = gone ? undefined : pauses[delivery.attempts - 1];
      const next_attempt_at =
        pause === undefined ? null : iso(clock.now() + Math.round(Math.max(pause, wait_ms) * (1 + Math.random() / 5)));
      const status = pause === undefined ? 'failed' : 'pending';
      const end = { status, response_status, error: trouble, next_attempt_at } as const;
      await noteAttempt(tx, delivery, { ...end, finished_at: pause === undefined ? at : null });
      const since = await noteFailed(tx, group_id, id, trouble);
      if (since !== undefined && (gone || clock.now() - Date.parse(since) >= longestFailure))
        await turnOff(tx, webhook, since, at, gone);
    });
  }

  async function attempted(delivery: DeliveryRow, signal: AbortSignal): Promise<void> {
    const webhook = await findWebhook(db, delivery.group_id, delivery.webhook_id);
    if (!webhook) return;
    if (webhook.enabled) return note(webhook, delivery, await post(webhook, delivery, signal));
    const at = iso(clock.now());
    const error = { code: 'webhook_disabled', message: 'The webhook is switched off', at };
    const { response_status } = delivery;
    await noteAttempt(db, delivery, {
      ...{ status: 'failed', response_status, error, next_attempt_at: null, finished_at: at },
    });
  }

  async function send(delivery: DeliveryRow, signal: AbortSignal): Promise<void> {
    try {
      await attempted(delivery, signal);
    } catch (error) {
      // It stays taken for a minute and is tried again.
      if (!signal.aborted) log.warn('A webhook could not be sent', errorFields(error));
    }
  }

  return { topic: webhooksTopic, ...limitPerWebhook(deps, send) };
}
