import { notificationKinds } from '@atrium/contract/notifications/kinds.ts';
import { z } from 'zod';
import type { Database } from '../../../db/database.ts';
import { type Web, WebRefused } from '../../../drivers/web/driver.ts';
import { defineJob, type Job } from '../../../lib/define-job.ts';
import { parseStored } from '../../../lib/json/parse-stored.ts';
import type { SecretBoxes } from '../ports.ts';
import { findToPush } from '../store.ts';
import { encryptPush } from './encrypt-push.ts';
import type { PushKeys } from './push-keys.ts';
import * as store from './push-store.ts';
import { type SealedSubscription, subscriptionPurpose } from './subscriptions.ts';

/** How long a push service keeps it for a device that is off. */
const keepSeconds = 24 * 3600;

/** A push service that refuses for now is asked again. */
const isTransient = (status: number) => status === 429 || status >= 500;

/** The job that sends one notification to one device. */
export function makePushJob(deps: { db: Database; web: Web; secrets: SecretBoxes; keys: PushKeys }): Job {
  const { db, web, secrets, keys } = deps;

  async function post(tenant_id: string, to: SealedSubscription, text: string): Promise<number> {
    const receiver = { p256dh: Buffer.from(to.p256dh, 'base64url'), auth: Buffer.from(to.auth, 'base64url') };
    const answer = await web.fetch(to.endpoint, {
      method: 'POST',
      body: encryptPush(Buffer.from(text), receiver),
      headers: {
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(keepSeconds),
        urgency: 'normal',
        authorization: await keys.authorizationFor(tenant_id, to.endpoint),
      },
      ...{ follow: false, has_secrets: true, timeout_ms: 5000, max_bytes: 64 * 1024 },
    });
    answer.body.destroy();
    return answer.status;
  }

  return defineJob({
    job: 'notifications.push',
    payload: z.object({ push_subscription_id: z.guid(), notification_id: z.guid() }),
    // Few and short: addresses are of people's choice, and other jobs wait meanwhile.
    attempts: 3,
    handler: async ({ log, requireLease }, { push_subscription_id: id, notification_id }) => {
      const [row, notification] = [await store.findSealed(db, id), await findToPush(db, notification_id)];
      // Removed or read meanwhile, or the person may not see it any more.
      if (!row || !notification || notification.person_id !== row.person_id) return;
      const to = parseStored<SealedSubscription>(
        await secrets.open(row.tenant_id, subscriptionPurpose(id), row.sealed),
      );
      const { kind, group_id } = notification;
      const text = JSON.stringify({ notification_id, group_id, kind, text: notificationKinds[kind] });
      await requireLease?.();
      let status: number;
      try {
        status = await post(row.tenant_id, to, text);
      } catch (error) {
        if (!(error instanceof WebRefused)) throw error;
        // Without its cause, which may name the address.
        if (error.code === 'unreachable' || error.code === 'timeout') throw new Error(error.message);
        log.warn('push.refused', { push_subscription_id: id, code: error.code });
        return;
      }
      if (status === 404 || status === 410) await store.deleteGone(db, id);
      else if (isTransient(status)) throw new Error(`The push service answered ${status}`);
      else if (status >= 300) log.warn('push.refused', { push_subscription_id: id, status });
      else await store.noteSent(db, id);
    },
  });
}
