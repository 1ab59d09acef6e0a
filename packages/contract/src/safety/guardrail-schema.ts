import * as z from 'zod';
import { createdAt, groupId } from '../fields.ts';
import { timedList } from '../list-query.ts';
import { paged, summaryOf } from '../page.ts';
import * as s from '../schema/schema.ts';
import { defaultsOf, schemasOf } from '../settings/key.ts';
import { guardrailCategories, safety } from '../settings/keys/safety.ts';
import { severities, stages } from './categories.ts';

/** The keys of agent settings that apply to a single text; the same schemas, so the same short forms. */
const guardrailKeys = [
  ...guardrailCategories,
  'jailbreak',
  'prompt_injection',
  'context_leak',
  'guardrails_scan_output',
  'guardrail_action',
  'pii_anonimization',
  'pii_allow',
] as const;
const guardrailSettings = Object.fromEntries(guardrailKeys.map((name) => [name, safety[name]])) as Pick<
  typeof safety,
  (typeof guardrailKeys)[number]
>;

/** The values of keys that are left out. The output scan is on, since a client that sends a reply wants it scanned. */
export const guardrailDefaults = { ...defaultsOf(guardrailSettings), guardrails_scan_output: true };

export const guardrailCheckBody = s
  .object({
    text: s.str({ max: 100_000 }).describe('The text to check.'),
    stage: s
      .withDefault(s.oneOf(stages), 'input')
      .describe(
        'Where the text stands in a run: `input` is a message of a user, `tool` the result of a tool, `output` a reply. It decides which guardrails apply.',
      ),
    settings: s
      .sparse(schemasOf(guardrailSettings))
      .describe('The guardrails to apply, as in the settings of an agent. A key that is left out has its default.'),
    system: s
      .optional(s.str({ max: 100_000 }))
      .describe('The system prompt that `context_leak` compares a reply with; required when that is on for a reply.'),
  })
  .meta({ id: 'GuardrailCheck' });

const severity = z.enum(severities).describe('How grave the content is, from `none` to `severe`.');
const level = z
  .enum(['Low', 'Medium', 'High'])
  .nullable()
  .describe('The level that the guardrail is set to. Null for a guardrail that is only on or off.');
const reason = z.string().describe('Why, in a short sentence that quotes no longer part of the text.');

export const guardrailVerdicts = z
  .strictObject({
    flagged: z.boolean().describe('Whether at least one guardrail flagged the text.'),
    action: z
      .enum(['fail', 'replace', 'human', 'warn'])
      .nullable()
      .describe('The action that a run would take. Null when nothing is flagged.'),
    verdicts: z
      .array(
        z.strictObject({
          category: z.string().describe('The guardrail, by its key in the settings.'),
          level,
          flagged: z.boolean().describe('Whether this guardrail flagged the text.'),
          severity,
          reason,
          ms: z.int().describe('How long this guardrail took, in milliseconds.'),
        }),
      )
      .describe('One verdict for each guardrail that applies to the stage.'),
    ms: z.int().describe('How long the whole check took, in milliseconds.'),
  })
  .meta({ id: 'GuardrailVerdicts' });

export const violation = z
  .strictObject({
    id: z.guid().describe('The id of the violation.'),
    group_id: groupId,
    conversation_id: z.guid().describe('The conversation that the text belongs to.'),
    run_id: z.guid().describe('The agent run in which the text was checked.'),
    message_id: z.guid().nullable().describe('The message that holds the text. Null when there is none.'),
    stage: z
      .enum(stages)
      .describe('Where the text stands: `input` of a user, result of a `tool`, or `output` of the agent.'),
    category: z.string().describe('The guardrail that flagged the text, by its key in the settings.'),
    severity,
    reason,
    action: z.string().describe('The action that the run took.'),
    created_at: createdAt,
  })
  .meta({ id: 'SafetyViolation' });

export const violationPage = paged(
  violation,
  summaryOf(violation, [
    'id',
    'run_id',
    'message_id',
    'stage',
    'category',
    'severity',
    'reason',
    'action',
    'created_at',
  ]),
);
export const violationParams = s.object({
  conversation_id: s.uuid('conversation').describe('The id of the conversation.'),
});
export const violationListQuery = s.query(timedList());

const violationEntry = z
  .strictObject({
    ...violation.shape,
    assistant_id: z.guid().nullable().describe('The agent of the conversation. Null: it has none.'),
  })
  .meta({ id: 'SafetyViolationEntry' });
export const violationEntryPage = paged(
  violationEntry,
  summaryOf(violationEntry, [
    'id',
    'conversation_id',
    'assistant_id',
    'stage',
    'category',
    'severity',
    'reason',
    'action',
    'created_at',
  ]),
);
export const workspaceViolationQuery = s.query({
  ...timedList(),
  assistant_id: s.optional(s.uuid('agent')).describe('Only violations in conversations with this agent.'),
  conversation_id: s.optional(s.uuid('conversation')).describe('Only violations in this conversation.'),
  run_id: s.optional(s.uuid('run')).describe('Only violations in this run.'),
  category: s
    .optional(s.str({ max: 100 }))
    .describe('Only violations of this guardrail, by its key in the settings, such as `toxicity`.'),
  severity: s.optional(s.oneOf(severities)).describe('Only violations of this severity.'),
  stage: s.optional(s.oneOf(stages)).describe('Only violations in texts of this stage.'),
  action: s
    .optional(s.oneOf(['fail', 'replace', 'human', 'warn']))
    .describe('Only violations upon which the run took this action.'),
});
export type ViolationEntry = z.output<typeof violationEntry>;
export type WorkspaceViolationQuery = z.output<typeof workspaceViolationQuery>;

export type GuardrailCheckBody = z.output<typeof guardrailCheckBody>;
export type GuardrailVerdicts = z.output<typeof guardrailVerdicts>;
export type ViolationListQuery = z.output<typeof violationListQuery>;
