import { randomBytes } from 'node:crypto';

/** A fresh secret for a link: 256 random bits behind a prefix that secret scanners and people recognise. */
export const newLinkToken = (prefix: 'atc' | 'atl') => `${prefix}_${randomBytes(32).toString('base64url')}`;

export const daySeconds = 86_400;
