import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import type { Web } from '../../../drivers/web/driver.ts';
import { ask } from '../call-channel-api.ts';
import { forged } from '../channel.ts';

interface SigningKey extends JsonWebKey {
  kid?: string;
  endorsements?: string[];
}

const day = 24 * 3_600_000;
/** Somebody who makes up key ids must not have us ask each time. */
const askAgainAfter = 5 * 60_000;
const skew_s = 300;

function readPart(part: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Not a token.
  }
  throw forged();
}

/** Checks the tokens that the Bot Framework signs its requests with, by the keys that it publishes. */
export function makeBotTokenVerifier(web: Web) {
  const known = new Map<string, { keys: SigningKey[]; at: number }>();

  async function fetchKeys(openid_url: string): Promise<SigningKey[]> {
    const { json } = await ask(web, 'The OpenID address', openid_url, {});
    const { json: set } = await ask(web, 'The address of its keys', String(json['jwks_uri'] ?? ''), {});
    return Array.isArray(set['keys']) ? (set['keys'] as SigningKey[]) : [];
  }

  async function keyNamed(openid_url: string, kid: string): Promise<SigningKey | undefined> {
    const cached = known.get(openid_url);
    const found = cached?.keys.find((key) => key.kid === kid);
    const age = Date.now() - (cached?.at ?? 0);
    if ((found && age < day) || (cached && age < askAgainAfter)) return found;
    const keys = await fetchKeys(openid_url);
    known.set(openid_url, { keys, at: Date.now() });
    return keys.find((key) => key.kid === kid);
  }

  /** The claims of a token that is meant for this app, now. Anything else about it is a forgery. */
  return async (
    token: string,
    expected: { openid_url: string; issuer: string; audience: string; channel_id: string },
  ): Promise<Record<string, unknown>> => {
    const [head, body, signature, ...rest] = token.split('.');
    if (!signature || rest.length) throw forged();
    const { alg, kid } = readPart(head);
    const claims = readPart(body);
    // The token does not choose how it is checked.
    if (alg !== 'RS256' || typeof kid !== 'string') throw forged();
    const now = Date.now() / 1000;
    const { iss, aud, exp, nbf } = claims;
    const timely =
      typeof exp === 'number' &&
      exp > now - skew_s &&
      (nbf === undefined || (typeof nbf === 'number' && nbf < now + skew_s));
    if (iss !== expected.issuer || aud !== expected.audience || !timely) throw forged();
    const key = await keyNamed(expected.openid_url, kid);
    if (key?.kty !== 'RSA') throw forged();
    const signed = Buffer.from(`${head}.${body}`);
    const publicKey = createPublicKey({ key, format: 'jwk' });
    if (!verify('RSA-SHA256', signed, publicKey, Buffer.from(signature, 'base64url'))) throw forged();
    if (key.endorsements?.length && !key.endorsements.includes(expected.channel_id)) throw forged();
    return claims;
  };
}
