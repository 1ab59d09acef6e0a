import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import type { Database } from '../../../db/database.ts';
import { parseStored } from '../../../lib/json/parse-stored.ts';
import type { SecretBoxes } from '../ports.ts';
import * as store from './push-store.ts';

export const pushKeyPurpose = () => 'push key';

/** The keys of an organization that push services know it by (VAPID, RFC 8292). */
export interface PushKeys {
  publicKeyOf(tenant_id: string): Promise<string>;
  /** The Authorization header of a request to a push service. */
  authorizationFor(tenant_id: string, endpoint: string): Promise<string>;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** The public key as one point, as browsers take it. */
const pointOf = ({ x = '', y = '' }: JsonWebKey) =>
  Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('base64url');

const lifeSeconds = 12 * 3600;

function signVapid(key: KeyObject, claims: { aud: string; exp: number; sub: string }): string {
  const text = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** `contact`: whom a push service writes to when something is wrong; an address of a page or of mail. */
export function makePushKeys(deps: { db: Database; secrets: SecretBoxes; contact: string }): PushKeys {
  const { db, secrets, contact } = deps;

  /** Made when they are first needed; of two nodes that make some, the first wins. */
  async function find(tenant_id: string): Promise<store.PushKeyRow> {
    const known = await store.findPushKey(db, tenant_id);
    if (known) return known;
    const made = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = JSON.stringify(made.privateKey.export({ format: 'jwk' }));
    const sealed = await secrets.seal(tenant_id, pushKeyPurpose(), jwk);
    const public_key = pointOf(made.publicKey.export({ format: 'jwk' }));
    return store.insertPushKey(db, tenant_id, { public_key, sealed });
  }

  return {
    publicKeyOf: async (tenant_id) => (await find(tenant_id)).public_key,
    async authorizationFor(tenant_id, endpoint) {
      const { public_key, sealed } = await find(tenant_id);
      const jwk = parseStored<JsonWebKey>(await secrets.open(tenant_id, pushKeyPurpose(), sealed));
      const exp = Math.floor(Date.now() / 1000) + lifeSeconds;
      const claims = { aud: new URL(endpoint).origin, exp, sub: contact };
      return `vapid t=${signVapid(createPrivateKey({ key: jwk, format: 'jwk' }), claims)}, k=${public_key}`;
    },
  };
}
