import { createHash, randomBytes } from 'node:crypto';

/** A fresh key: 256 random bits behind a prefix that secret scanners and people recognise. */
export const newKeyValue = () => `atr_${randomBytes(32).toString('base64url')}`;

/** Keys are stored as this hash alone. A fast one is right: 256 random bits can't be guessed. */
export const hashOf = (value: string): Buffer => createHash('sha256').update(value).digest();

/** Enough to tell keys apart in a list, too little to use one; a short key of the operator's own shows less. */
export const keyHint = (value: string) => `${value.slice(0, value.length >= 32 ? 8 : 2)}…`;
