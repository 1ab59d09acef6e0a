import { conflict, invalid, notFound } from '@atrium/contract/errors.ts';
import type { PushSubscription, PushSubscriptionCreate } from '@atrium/contract/notifications/schema.ts';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { hashOf } from '../../../lib/secrets/token-hash.ts';
import type { SecretBoxes } from '../ports.ts';
import { isPublicKey } from './encrypt-push.ts';
import type { PushKeys } from './push-keys.ts';
import * as store from './push-store.ts';

export const subscriptionPurpose = (id: string) => `push subscription ${id}`;

/** What is sealed of a subscription. */
export interface SealedSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** The devices of the person who is signed in. */
export interface PushSubscriptions {
  publicKey(scope: Scope): Promise<{ public_key: string }>;
  list(scope: Scope): Promise<PushSubscription[]>;
  create(scope: Scope, input: PushSubscriptionCreate): Promise<PushSubscription>;
  remove(scope: Scope, id: string): Promise<void>;
}

const most = 20;

export function makePushSubscriptions(deps: { db: Database; secrets: SecretBoxes; keys: PushKeys }): PushSubscriptions {
  const { db, secrets, keys } = deps;
  return {
    publicKey: async ({ tenant_id }) => ({ public_key: await keys.publicKeyOf(tenant_id) }),

    list: ({ actor }) => store.listSubscriptions(db, actor.id),

    async create(scope, { endpoint, keys: { p256dh, auth }, label }) {
      const { tenant_id, actor } = scope;
      if (!URL.canParse(endpoint)) throw invalid(['body', 'endpoint'], 'this is no address', null);
      if (!isPublicKey(Buffer.from(p256dh, 'base64url')))
        throw invalid(['body', 'keys', 'p256dh'], 'this is no public key of a browser', null);
      if (Buffer.from(auth, 'base64url').length !== 16)
        throw invalid(['body', 'keys', 'auth'], 'the secret of a browser has 16 bytes', null);
      const id = newId();
      const secret: SealedSubscription = { endpoint, p256dh, auth };
      const sealed = await secrets.seal(tenant_id, subscriptionPurpose(id), JSON.stringify(secret));
      const { origin } = new URL(endpoint);
      const row = { id, tenant_id, person_id: actor.id, label, origin, endpoint_hash: hashOf(endpoint), sealed };
      return db.transaction(scope, async (tx) => {
        // One after another, so that the same device, or one too many, is not stored twice.
        await store.lockDevices(tx, actor.id);
        await store.deleteByAddress(tx, actor.id, row.endpoint_hash);
        const stored = await store.insertSubscription(tx, row, most);
        if (!stored) throw conflict(`You have ${most} devices already; remove one first`, 'too_many_devices');
        return stored;
      });
    },

    async remove({ actor }, id) {
      if (!(await store.deleteSubscription(db, actor.id, id))) throw notFound('push_subscription');
    },
  };
}
