import { z } from 'zod';
import { baseAddress, type Values } from '../lib/environment-fields.ts';

/** What finds personal data, and what judges texts. */
export const safetyVariables = {
  ATRIUM_TAGGER: z
    .enum(['neural', 'words'])
    .default('neural')
    .describe('What finds names, places and groups: neural (our model) or words (lists and phrases; finds less)'),
  ATRIUM_TAGGER_URL: baseAddress
    .optional()
    .describe("Address of a service that speaks the protocol of Presidio's analyzer, to find them instead"),
  ATRIUM_GUARDRAIL_MODEL: z
    .string()
    .optional()
    .describe('Model that guardrails ask (provider/name); without it the least expensive one'),
  ATRIUM_GUARDRAIL_TIMEOUT: z.coerce
    .number()
    .positive()
    .max(600)
    .default(10)
    .describe('Seconds for one call of a guardrail; then it counts as failed, and nothing passes'),
};

export const safetyFrom = (e: Values<typeof safetyVariables>) => ({
  tagger: e.ATRIUM_TAGGER,
  tagger_url: e.ATRIUM_TAGGER_URL,
  guardrail_model: e.ATRIUM_GUARDRAIL_MODEL,
  guardrail_timeout_ms: Math.round(e.ATRIUM_GUARDRAIL_TIMEOUT * 1000),
});
