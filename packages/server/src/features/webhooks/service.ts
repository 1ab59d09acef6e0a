import { randomBytes } from 'node:crypto';
import { conflict, invalid, notFound } from '@atrium/contract/errors.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type {
  Webhook,
  WebhookCreate,
  WebhookDelivery,
  WebhookDeliveryQuery,
  WebhookPatch,
} from '@atrium/contract/webhooks/schema.ts';
import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Keyring } from '../keyring/service.ts';
import type { TypedAddresses } from '../typed-addresses/service.ts';
import { secretPurpose, webhooksTopic } from './constants.ts';
import { payloadOf } from './delivery-payload.ts';
import * as deliveries from './delivery-store.ts';
import * as store from './store.ts';

export interface Webhooks {
  list(scope: Scope, query: PageQuery & ListFilter): Promise<Paged<Webhook>>;
  get(scope: Scope, id: string): Promise<Webhook>;
  create(scope: Scope, input: WebhookCreate): Promise<Webhook>;
  update(scope: Scope, id: string, patch: WebhookPatch): Promise<Webhook>;
  remove(scope: Scope, id: string): Promise<void>;
  /** Sends a test event, whether or not the webhook is subscribed to it. */
  test(scope: Scope, id: string): Promise<WebhookDelivery>;
  deliveries(scope: Scope, id: string, query: WebhookDeliveryQuery): Promise<Paged<WebhookDelivery>>;
  /** Sends the payload of a delivery again, as a new delivery. */
  redeliver(scope: Scope, id: string, delivery_id: string): Promise<WebhookDelivery>;
}

const most = 100;
const covered = '********';
const shown = (row: store.WebhookRow, secret: string = covered): Webhook => ({ ...row, secret });
const shownDelivery = (row: deliveries.DeliveryRow): WebhookDelivery => ({ ...row, payload: JSON.parse(row.payload) });
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url);

/** Subscriptions of other programs to what happens in a workspace. */
export function makeWebhooks({
  db,
  notifier,
  clock,
  keyring,
  typedAddresses,
}: {
  db: Database;
  notifier: Notifier;
  clock: Clock;
  keyring: Keyring;
  typedAddresses: TypedAddresses;
}): Webhooks {
  async function find(scope: Scope, id: string): Promise<store.WebhookRow> {
    const row = await store.findWebhook(db, scope.workspace_id, id);
    if (!row) throw notFound('webhook');
    return row;
  }

  const deliver = (scope: Scope, row: deliveries.NewDelivery) =>
    db.transaction(scope, async (tx) => {
      const made = await deliveries.insertDelivery(tx, scope.workspace_id, row, new Date(clock.now()).toISOString());
      await notifier.notify(tx, webhooksTopic);
      return shownDelivery(made);
    });

  return {
    async list(scope, query) {
      const window = pageOf(query);
      const { rows, total, last } = await store.listWebhooks(db, scope.workspace_id, query, window);
      return pageAnswer(
        rows.map((row) => shown(row)),
        total,
        window,
        last,
      );
    },

    get: async (scope, id) => shown(await find(scope, id)),

    async create(scope, input) {
      typedAddresses.requireReachable(input.url, ['body', 'url']);
      const { total } = await store.listWebhooks(db, scope.workspace_id, {}, { size: 1, offset: 0 });
      if (total >= most) throw conflict(`The workspace has ${most} webhooks already`);
      const id = newId();
      const made = input.secret === undefined ? `whsec_${randomBytes(32).toString('base64')}` : undefined;
      const secret = await keyring.seal(scope.workspace_id, secretPurpose(id), input.secret ?? (made as string));
      const { url, events, enabled, name = hostOf(url) } = input;
      return db.write(scope, async (on) => {
        const row = await store.insertWebhook(on, scope.workspace_id, { id, name, url, events, enabled, secret });
        scope.audit?.note({ after: row, target: { kind: 'webhook', id, name } });
        return shown(row, made);
      });
    },

    async update(scope, id, patch) {
      const before = await find(scope, id);
      typedAddresses.requireReachable(patch.url, ['body', 'url'], before.url);
      // A mask that comes back is no new secret.
      const given = patch.secret === covered ? undefined : patch.secret;
      // Deliveries to another host need the secret again: its receiver must be given the secret anyway.
      if (patch.url !== undefined && hostOf(patch.url) !== hostOf(before.url) && given === undefined)
        throw invalid(['body', 'url'], 'another host needs the secret to be given again', patch.url);
      const sealed = given && (await keyring.seal(scope.workspace_id, secretPurpose(id), given));
      return db.write(scope, async (on) => {
        const after = await store.updateWebhook(on, scope.workspace_id, {
          id,
          name: patch.name ?? before.name,
          url: patch.url ?? before.url,
          events: patch.events ?? before.events,
          enabled: patch.enabled ?? before.enabled,
          secret: sealed ?? before.secret,
        });
        if (!after) throw notFound('webhook');
        scope.audit?.note({ before, after, target: { kind: 'webhook', id, name: after.name } });
        return shown(after);
      });
    },

    async remove(scope, id) {
      await db.write(scope, async (on) => {
        if (!(await store.deleteWebhook(on, scope.workspace_id, id))) throw notFound('webhook');
      });
    },

    async test(scope, id) {
      await find(scope, id);
      const [event, at] = ['webhook.test', new Date(clock.now()).toISOString()];
      const payload = payloadOf({ event, workspace_id: scope.workspace_id, created_at: at, data: { webhook_id: id } });
      return deliver(scope, { id: newId(), webhook_id: id, event, payload });
    },

    async deliveries(scope, id, query) {
      await find(scope, id);
      const window = pageOf(query);
      const { rows, total, last } = await deliveries.listDeliveries(db, scope.workspace_id, id, query, window);
      return pageAnswer(rows.map(shownDelivery), total, window, last);
    },

    async redeliver(scope, id, delivery_id) {
      await find(scope, id);
      const first = await deliveries.findDelivery(db, scope.workspace_id, id, delivery_id);
      if (!first) throw notFound('delivery');
      const { event, payload } = first;
      return deliver(scope, { id: newId(), webhook_id: id, event, payload, redelivery_of: first.id });
    },
  };
}
