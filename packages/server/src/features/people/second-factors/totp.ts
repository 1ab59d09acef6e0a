import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { base32 } from '@scure/base';

/** RFC 6238 with what every authenticator app knows: SHA-1, six digits, steps of 30 seconds. */
const period = 30;
/** Clocks of devices may be off by a step; a code may be typed as its step ends. */
const offsets = [0, -1, 1];

export const newTotpSecret = () => randomBytes(20);
export const encodeSecret = (secret: Uint8Array) => base32.encode(secret);
export const decodeSecret = (text: string) => Buffer.from(base32.decode(text));

export const stepAt = (ms: number) => Math.floor(ms / 1000 / period);

/** The code of a step (RFC 4226). */
export function totpCode(secret: Uint8Array, step: number, digits = 6): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const value = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(value % 10 ** digits).padStart(digits, '0');
}

/** The step that a code belongs to, near a time; undefined for a wrong code. */
export function findStep(secret: Uint8Array, code: string, ms: number): number | undefined {
  const given = Buffer.from(code);
  return offsets
    .map((offset) => stepAt(ms) + offset)
    .find((step) => {
      const expected = Buffer.from(totpCode(secret, step));
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
}

export function otpauthUri(secret: Uint8Array, account: string): string {
  const query = new URLSearchParams({
    ...{ secret: encodeSecret(secret), issuer: 'Atrium', algorithm: 'SHA1', digits: '6', period: String(period) },
  });
  return `otpauth://totp/Atrium:${encodeURIComponent(account)}?${query}`;
}
