import { z } from 'zod';

const how = '`openssl rand -base64 32` makes a good one';

/** Words of examples: a key that stands in a document or a template is everybody's. */
const fromExamples =
  /change.?me|replace.?me|placeholder|example|your.*key|key.of.your.own|password|secret.?key|123456789012|abcdefghijkl/i;

/** Whether it was made by pressing one key, or a few of them in turn. */
const isRepetitive = (text: string) => new Set(text).size < 8;

/** A key that somebody has chosen: long enough not to be guessed, and no example. */
export const adminKey = z
  .string()
  .min(24, `ATRIUM_ADMIN_KEY needs at least 24 characters; ${how}`)
  .refine((text) => !fromExamples.test(text) && !isRepetitive(text), {
    error: `ATRIUM_ADMIN_KEY is an example or easy to guess; ${how}`,
  })
  .optional();
