import { randomBytes } from 'node:crypto';
import { base32 } from '@scure/base';
import { hashOf } from '../../../lib/secrets/token-hash.ts';

const count = 10;

/** Ten fresh codes of 80 random bits each, too many to be found from their hashes. */
export const newRecoveryCodes = () =>
  Array.from({ length: count }, () => base32.encode(randomBytes(10)).match(/.{4}/g)?.join('-') ?? '');

/** The hash of a code however it was typed. */
export const hashRecoveryCode = (code: string) => hashOf(code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ''));

/** Six digits are a code of the app; everything else can only be a recovery code. */
export const isAppCode = (code: string) => /^\d{6}$/.test(code);
