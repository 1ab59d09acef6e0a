import { randomBytes } from 'node:crypto';

export { hashOf } from '../../lib/secrets/token-hash.ts';

/** A fresh key: 256 random bits behind a prefix that secret scanners and people recognise. */
export const newKeyValue = () => `atr_${randomBytes(32).toString('base64url')}`;

/** Enough to tell keys apart in a list, too little to use one; a short key of the operator's own shows less. */
export const keyHint = (value: string) => `${value.slice(0, value.length >= 32 ? 8 : 2)}…`;
