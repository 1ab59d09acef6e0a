import type { JWK, JWTPayload, JWTVerifyGetKey } from 'jose';
import type { Web } from '../../../drivers/web/driver.ts';
import { LruCache } from '../../../lib/lru-cache.ts';
import { ask } from '../call-channel-api.ts';
import { forged } from '../channel.ts';

interface SigningKey extends JWK {
  endorsements?: string[];
}

export interface ExpectedToken {
  openid_url: string;
  issuer: string;
  audience: string;
  channel_id: string;
}

export type BotTokenVerifier = (token: string, expected: ExpectedToken) => Promise<JWTPayload>;

const day = 24 * 3_600_000;
/** Limits how often made-up key ids can cause a request for the keys. */
const askAgainAfter = 5 * 60_000;
const skew_s = 300;

/** Checks the tokens that the Bot Framework signs its requests with, by the keys that it publishes. */
export function makeBotTokenVerifier(web: Web): BotTokenVerifier {
  const known = new LruCache<string, { keys: SigningKey[]; at: number }>({ max: 1000 });

  async function fetchKeys(openid_url: string): Promise<SigningKey[]> {
    const { json } = await ask(web, 'The OpenID address', openid_url, {});
    const { json: set } = await ask(web, 'The address of its keys', String(json['jwks_uri'] ?? ''), {});
    return Array.isArray(set['keys']) ? set['keys'] : [];
  }

  async function findKey(openid_url: string, kid: string | undefined): Promise<SigningKey | undefined> {
    const cached = known.get(openid_url);
    const cachedKey = cached?.keys.find((key) => key.kid === kid);
    const age = Date.now() - (cached?.at ?? 0);
    if ((cachedKey && age < day) || (cached && age < askAgainAfter)) return cachedKey;
    const keys = await fetchKeys(openid_url);
    known.set(openid_url, { keys, at: Date.now() });
    return keys.find((key) => key.kid === kid);
  }

  async function verify(token: string, { openid_url, issuer, audience, channel_id }: ExpectedToken) {
    // Before any key is fetched, so that a token for another app causes no request.
    const { decodeJwt, jwtVerify } = await import('jose');
    const { iss, aud } = decodeJwt(token);
    if (iss !== issuer || aud !== audience) throw forged();
    const getKey: JWTVerifyGetKey = async ({ kid }) => {
      const key = typeof kid === 'string' ? await findKey(openid_url, kid) : undefined;
      if (key?.kty !== 'RSA') throw forged();
      if (key.endorsements?.length && !key.endorsements.includes(channel_id)) throw forged();
      return key;
    };
    const { payload } = await jwtVerify(token, getKey, {
      ...{ issuer, audience, algorithms: ['RS256'], requiredClaims: ['exp'], clockTolerance: skew_s },
    });
    return payload;
  }

  /** Returns the claims of a token that is meant for this app and valid now; refuses every other token as forged. */
  return async (token, expected) => {
    try {
      return await verify(token, expected);
    } catch (error) {
      const { errors } = await import('jose');
      throw error instanceof errors.JOSEError ? forged() : error;
    }
  };
}
