import { createHmac, timingSafeEqual } from 'node:crypto';
import { forged, type SentBytes } from './channel.ts';

/** How old, or how far ahead, a signed request may be. */
const window_s = 300;

export const isFresh = (seconds: string | undefined, now = Date.now()): boolean =>
  /^\d{1,12}$/.test(seconds ?? '') && Math.abs(now / 1000 - Number(seconds)) <= window_s;

/** Compares in constant time. */
export function sameText(a: string, b: string): boolean {
  const [one, two] = [Buffer.from(a), Buffer.from(b)];
  return one.length === two.length && timingSafeEqual(one, two);
}

/** A secret as Standard Webhooks writes it stands for its bytes, any other for its text. */
const keyOf = (secret: string) =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);

const signatureOf = (secret: string, id: string, timestamp: string, body: string | Buffer) =>
  createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64');

/** The headers of Standard Webhooks (standardwebhooks.com) over what we send. */
export function signed(secret: string, id: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signatureOf(secret, id, timestamp, body)}`,
  };
}

/** The id of a request that was signed in that way, and lately; anything else is a forgery. */
export function verifySignedRequest(secret: string | undefined, { bytes, headers }: SentBytes): string {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given } = headers;
  if (!secret || !id || !timestamp || !isFresh(timestamp)) throw forged();
  const expected = signatureOf(secret, id, timestamp, bytes);
  // Several while a sender replaces its secret.
  const found = (given ?? '').split(' ').some((one) => one.startsWith('v1,') && sameText(one.slice(3), expected));
  if (!found) throw forged();
  return id;
}
