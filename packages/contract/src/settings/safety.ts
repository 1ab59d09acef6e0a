import { z } from 'zod';
import * as s from '../schema/schema.ts';
import { behaviour } from './setting-class.ts';
import { whenGradeIsHigher, whenMoreEntities, whenNotOnlyWarned } from './stricter-safety.ts';
import { whenLater, whenLowerButNotZero, whenOn } from './strictness.ts';

export const piiEntities = [
  'PERSON',
  'EMAIL_ADDRESS',
  'PHONE_NUMBER',
  'CREDIT_CARD',
  'CRYPTO',
  'IP_ADDRESS',
  'DATE_TIME',
  'NRP',
  'LOCATION',
  'MEDICAL_LICENSE',
  'URL',
  'IBAN_CODE',
] as const;
export type PiiEntity = (typeof piiEntities)[number];

/** PERSON → Person, IBAN_CODE → Iban code */
const labelOf = (value: string) => value.charAt(0) + value.slice(1).toLowerCase().replaceAll('_', ' ');

const piiEntry = z
  .preprocess(
    (input) => (typeof input === 'string' ? { value: input } : input),
    s.object({ value: s.oneOf(piiEntities), label: s.optional(s.str()) }),
  )
  .transform(({ value, label }) => ({ value, label: label ?? labelOf(value) }));

/** Entities to anonymize, as settings of agents and of knowledge bases list them. */
export const piiList = s.list(piiEntry, { max: 100 });
export const piiEntriesOf = (entities: readonly PiiEntity[]) =>
  entities.map((value) => ({ value, label: labelOf(value) }));

export const guardrailCategories = [
  'violence_and_hate',
  'sexual_content',
  'guns_and_weapons',
  'suicide',
  'crime',
  'toxicity',
  'bias',
  'profanity',
] as const;

/** The keys that decide which texts guardrails check, and the action on a violation. */
export const guardrailKeys = [
  ...guardrailCategories,
  'jailbreak',
  'prompt_injection',
  'context_leak',
  'guardrails_scan_output',
  'guardrails_output_mode',
  'guardrail_action',
] as const;

const guardrail = z.preprocess(
  (input) => (typeof input === 'string' ? { value: input } : input),
  s.object({
    value: s.withDefault(s.oneOf(['Off', 'Low', 'Medium', 'High']), 'Off'),
    context: s.withDefault(s.str(), ''),
  }),
);
export type Guardrail = z.output<typeof guardrail>;
const off: Guardrail = { value: 'Off', context: '' };

const actionLabels = {
  fail: 'Fail/block run',
  replace: 'Replace the reply',
  human: 'Hand over to a person',
  warn: 'Warn and go on',
} as const;
type GuardrailAction = keyof typeof actionLabels;

const guardrailAction = z
  .preprocess(
    (input) => (typeof input === 'string' ? { value: input } : input),
    s.object({
      value: s.withDefault(s.oneOf(Object.keys(actionLabels) as GuardrailAction[]), 'fail'),
      label: s.optional(s.str()),
    }),
  )
  .transform(({ value, label }) => ({ value, label: label ?? actionLabels[value] }));

const category = (what: string) =>
  behaviour<Guardrail>(
    guardrail,
    off,
    `Guardrail on ${what}: one model call before the reply when not Off`,
    { test: 'each graded category stops a message that it objects to, and the model is not asked' },
    whenGradeIsHigher(),
  );

export const piiDefault: PiiEntity[] = ['PERSON', 'EMAIL_ADDRESS', 'PHONE_NUMBER', 'CREDIT_CARD'];
const locked = (group: string) => ({ test: `the ${group} lock refuses a change of any key of its group` });

export const safety = {
  pii_lock: behaviour(s.bool(), false, 'The PII settings can not be changed', locked('pii'), whenOn),
  pii_anonimization: behaviour(
    piiList,
    piiEntriesOf(piiDefault),
    'Entities replaced by placeholders in everything that goes to a model; empty: off',
    { test: 'only the listed entities are hidden; with an empty list nothing is' },
    whenMoreEntities(),
  ),
  guardrail_lock: behaviour(s.bool(), false, 'The guardrail settings can not be changed', locked('guardrail'), whenOn),
  violence_and_hate: category('violence and hate'),
  sexual_content: category('sexual content'),
  guns_and_weapons: category('guns and weapons'),
  suicide: category('suicide'),
  crime: category('crime'),
  toxicity: category('toxicity'),
  bias: category('bias'),
  profanity: category('profanity'),
  guardrails_scan_output: behaviour(
    s.bool(),
    false,
    'The same categories on the reply and on the arguments of its tool calls',
    {
      test: 'without guardrails_scan_output the reply is not looked at',
    },
    whenOn,
  ),
  guardrails_output_mode: behaviour(
    s.oneOf(['post_stream', 'pre_stream']),
    'post_stream',
    'post_stream: the reply streams and is retracted on a violation; pre_stream: nothing is shown before it passed',
    { test: 'not one byte of a refused reply reaches the client, whatever the action and the dialect' },
    whenLater('post_stream', 'pre_stream'),
  ),
  guardrail_action: behaviour(
    guardrailAction,
    { value: 'fail', label: actionLabels.fail },
    'On a violation: fail the run, replace the reply, hand over to a person, or warn',
    { test: 'the reply streams and is taken back, and nobody reads it afterwards' },
    whenNotOnlyWarned(),
  ),
  guardrail_action_replace: behaviour(s.str(), '', 'The reply that replaces a refused one', {
    test: 'guardrail_action replace answers with guardrail_action_replace',
  }),
  guardrail_action_human: behaviour(s.str(), '', 'The note for the person it is handed to', {
    test: 'guardrail_action human leaves the conversation to a person, with guardrail_action_human as the note',
  }),
  block_after_violations: behaviour(
    s.int({ ge: 0 }),
    0,
    'At the n-th violation the conversation is locked; 0: never',
    {
      test: 'at the n-th the conversation is locked with block_message, and an administrator unlocks it',
    },
    whenLowerButNotZero,
  ),
  block_message: behaviour(
    s.str(),
    'This conversation is locked due to repeated safety violations. Please start a new conversation.',
    'What a locked conversation says',
    { test: 'a conversation locked without a message says its block_message' },
  ),
  prompt_defense: behaviour(s.str(), '', 'Last section of the system prompt', {
    test: 'the sections of the prompt stand in their order',
  }),
  prompt_lock: behaviour(s.bool(), false, 'The prompt settings can not be changed', locked('prompt'), whenOn),
  jailbreak: behaviour(
    s.bool(),
    false,
    'Guardrail against attempts to break the rules, on the input',
    {
      test: 'jailbreak and prompt_injection are looked for in what is said',
    },
    whenOn,
  ),
  prompt_injection: behaviour(
    s.bool(),
    false,
    'Guardrail against instructions hidden in input, tool results and passages',
    {
      test: 'prompt_injection looks at what a tool found before the agent hears it',
    },
    whenOn,
  ),
  four_eyes: behaviour(
    s.bool(),
    false,
    'A key may not approve a tool call that it caused itself',
    { test: 'four_eyes refuses the approval of the key that sent the message, by any of its values' },
    whenOn,
  ),
  context_leak: behaviour(
    s.bool(),
    false,
    'The reply is checked for pieces of the system prompt',
    {
      test: 'a reply that repeats the system prompt is a violation, with no model asked about it',
    },
    whenOn,
  ),
};
