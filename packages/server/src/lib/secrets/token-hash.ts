import { createHash } from 'node:crypto';

/** How random tokens are stored. A fast hash is right: 256 random bits can't be guessed. */
export const hashOf = (value: string): Buffer => createHash('sha256').update(value).digest();
