import { z } from 'zod';
import { paged, pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';
import { guardrailCategories, safety } from '../settings/safety.ts';
import { severities, stages } from './categories.ts';

/** The keys of agent settings that say something about one text; the same schemas, so the same short forms. */
const guardrailKeys = [
  ...guardrailCategories,
  'jailbreak',
  'prompt_injection',
  'context_leak',
  'guardrails_scan_output',
  'guardrail_action',
  'pii_anonimization',
] as const;
type GuardrailKey = (typeof guardrailKeys)[number];

const pick = <F extends 'schema' | 'fallback'>(field: F) =>
  Object.fromEntries(guardrailKeys.map((name) => [name, safety[name][field]])) as {
    [N in GuardrailKey]: (typeof safety)[N][F];
  };

/** What holds for keys that are not given. Whoever has a reply checked wants it scanned. */
export const guardrailDefaults = { ...pick('fallback'), guardrails_scan_output: true };

export const guardrailCheckBody = s
  .object({
    text: s.str({ max: 100_000 }),
    stage: s.withDefault(s.oneOf(stages), 'input'),
    settings: s.sparse(pick('schema')),
    /** The system prompt that context_leak compares a reply with. */
    system: s.optional(s.str({ max: 100_000 })),
  })
  .meta({ id: 'GuardrailCheck' });

const severity = z.enum(severities);
const level = z.enum(['Low', 'Medium', 'High']).nullable();

export const guardrailVerdicts = z
  .strictObject({
    flagged: z.boolean(),
    /** What a run would do about it; null when nothing is flagged. */
    action: z.enum(['fail', 'replace', 'human', 'warn']).nullable(),
    verdicts: z.array(
      z.strictObject({
        category: z.string(),
        level,
        flagged: z.boolean(),
        severity,
        reason: z.string(),
        ms: z.int(),
      }),
    ),
    ms: z.int(),
  })
  .meta({ id: 'GuardrailVerdicts' });

export const violation = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    conversation_id: z.guid(),
    run_id: z.guid(),
    message_id: z.guid().nullable(),
    stage: z.enum(stages),
    category: z.string(),
    severity,
    reason: z.string(),
    action: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'SafetyViolation' });

export const violationPage = paged(violation);
export const violationParams = s.object({ conversation_id: s.uuid('conversation') });
export const violationListQuery = s.query(pageFields);

export type GuardrailCheckBody = z.output<typeof guardrailCheckBody>;
export type GuardrailVerdicts = z.output<typeof guardrailVerdicts>;
export type ViolationListQuery = z.output<typeof violationListQuery>;
