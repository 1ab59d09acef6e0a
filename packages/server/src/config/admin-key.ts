import { z } from 'zod';

const advice = 'make one with `openssl rand -base64 32`';

/** Words of examples: a key that stands in a document or a template is publicly known. */
const fromExamples =
  /change.?me|replace.?me|placeholder|example|your.*key|key.of.your.own|password|secret.?key|123456789012|abcdefghijkl/i;

/** Whether it was made by pressing one key, or a few of them in turn. */
const isRepetitive = (text: string) => new Set(text).size < 8;

/** The admin key that the operator chooses: too long to be guessed, and no example. */
export const adminKey = z
  .string()
  .min(24, `ATRIUM_ADMIN_KEY needs at least 24 characters; ${advice}`)
  .refine((text) => !fromExamples.test(text) && !isRepetitive(text), {
    error: `ATRIUM_ADMIN_KEY is an example or easy to guess; ${advice}`,
  })
  .optional();
