import { matchesSignature, signatureOf } from '../../lib/secrets/webhook-signature.ts';
import { forged, type SentBytes } from './channel.ts';

/** How old, or how far ahead, a signed request may be. */
const window_s = 300;

export const isFresh = (seconds: string | undefined, now = Date.now()): boolean =>
  /^\d{1,12}$/.test(seconds ?? '') && Math.abs(now / 1000 - Number(seconds)) <= window_s;

/** The headers of Standard Webhooks (standardwebhooks.com) over what we send. */
export function signed(secret: string, id: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatureOf(secret, { id, timestamp, body }),
  };
}

/** The id of a request that was signed in that way, and lately; anything else is a forgery. */
export function verifySignedRequest(secret: string | undefined, { bytes, headers }: SentBytes): string {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given } = headers;
  if (!secret || !id || !timestamp || !isFresh(timestamp)) throw forged();
  // Several while a sender replaces its secret.
  if (!matchesSignature(given ?? '', signatureOf(secret, { id, timestamp, body: bytes }))) throw forged();
  return id;
}
