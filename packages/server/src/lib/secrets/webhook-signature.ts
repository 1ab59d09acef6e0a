import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The bytes to sign with: what stands behind `whsec_` in base64, or the text itself. */
function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
}

export interface Signed {
  id: string;
  /** Seconds since 1970, as it stands in the header. */
  timestamp: string;
  body: string | Uint8Array;
}

/** The value of a `webhook-signature` header, as the Standard Webhooks specification has it. */
export const signatureOf = (secret: string, { id, timestamp, body }: Signed): string =>
  `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;

/** Services that sign in this older way know nothing of how a secret is written: they sign with its text. */
export const signBody = (secret: string, body: string | Uint8Array): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** How long this takes says nothing of where two texts differ, nor of how long the right one is. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** A header may hold several signatures, by several keys; one of them has to be right. */
export const matchesSignature = (header: string, right: string): boolean =>
  header.split(' ').reduce((found, given) => sameText(given, right) || found, false);
