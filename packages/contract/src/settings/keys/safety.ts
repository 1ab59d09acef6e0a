import * as z from 'zod';
import { keysOf } from '../../keys-of.ts';
import * as s from '../../schema/schema.ts';
import { behaviour } from '../setting-class.ts';
import { hostPattern, whenFewerHosts } from '../strictness/host-patterns.ts';
import {
  whenAskedMoreOften,
  whenFewerAllowed,
  whenGradeIsHigher,
  whenMoreEntities,
  whenNotOnlyWarned,
} from '../strictness/stricter-safety.ts';
import { whenLater, whenLowerButNotZero, whenOn } from '../strictness/strictness.ts';

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
    s.object({
      value: s.oneOf(piiEntities).describe('The kind of personal data.'),
      label: s.optional(s.str()).describe('Its name, for screens; the usual one unless given.'),
    }),
  )
  .transform(({ value, label }) => ({ value, label: label ?? labelOf(value) }));

type PiiEntry = z.output<typeof piiEntry>;

/** Entities to anonymize, as settings of agents and of knowledge bases list them. */
const piiList = s.list(piiEntry, { max: 100 });
const piiAnswer = z.array(
  z.strictObject({
    value: z.enum(piiEntities).describe('The kind of personal data.'),
    label: z.string().describe('Its name, for screens.'),
  }),
);
const piiLabels = {
  PERSON: 'Names of people',
  EMAIL_ADDRESS: 'Email addresses',
  PHONE_NUMBER: 'Phone numbers',
  CREDIT_CARD: 'Credit card numbers',
  CRYPTO: 'Cryptocurrency wallets',
  IP_ADDRESS: 'IP addresses',
  DATE_TIME: 'Dates and times',
  NRP: 'Nationality, religion and politics',
  LOCATION: 'Places',
  MEDICAL_LICENSE: 'Medical licence numbers',
  URL: 'Web addresses',
  IBAN_CODE: 'IBANs',
} satisfies Record<PiiEntity, string>;
/** The parts of a settings key that lists such entities. */
export const piiField = { control: 'multi_select', schema: piiList, options: piiLabels, answer: piiAnswer } as const;

/** Words with `*` for any characters but spaces. Signs of regular expressions are refused, which can take very long. */
export const piiAllowList = s.list(
  s.str({ min: 1, max: 200, pattern: /^(?!.*\.[*+])(?=.*[^\s*])[^^$|[\]{}()\\\r\n]+$/ }),
  { max: 500 },
);

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
    value: s.withDefault(s.oneOf(['Off', 'Low', 'Medium', 'High']), 'Off').describe('The grade; `Off` makes no call.'),
    context: s
      .withDefault(s.str(), '')
      .describe('What the guardrail is told about the agent, so that it judges fairly.'),
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

const guardrailAction = z
  .preprocess(
    (input) => (typeof input === 'string' ? { value: input } : input),
    s.object({
      value: s.withDefault(s.oneOf(keysOf(actionLabels)), 'fail').describe('The action.'),
      label: s.optional(s.str()).describe('The name of the action, for screens; the usual one unless given.'),
    }),
  )
  .transform(({ value, label }) => ({ value, label: label ?? actionLabels[value] }));

const guardrailAnswer = z.strictObject({
  value: z.enum(['Off', 'Low', 'Medium', 'High']).describe('The grade; `Off` makes no call.'),
  context: z.string().describe('What the guardrail is told about the agent, so that it judges fairly.'),
});

const egressModes = ['always', 'untrusted_only', 'never'] as const;
const modeWords =
  'When a person is asked before the agent sends something out: before every such call, once the conversation has read private and untrusted content, or never.';
const needsReason = '`never` needs a reason, which is stored with the version';

const egressApproval = z
  .preprocess(
    (input) => (typeof input === 'string' ? { mode: input } : input),
    s.object({
      mode: s.withDefault(s.oneOf(egressModes), 'untrusted_only').describe(modeWords),
      reason: s.withDefault(s.str({ max: 2000 }), '').describe('Why; must not be empty for `never`.'),
    }),
  )
  .superRefine(({ mode, reason }, context) => {
    if (mode === 'never' && reason.trim() === '') context.addIssue({ code: 'custom', message: needsReason });
  });
export type EgressApproval = z.output<typeof egressApproval>;
const egressAnswer = z.strictObject({
  mode: z.enum(egressModes).describe(modeWords),
  reason: z.string().describe('Why; empty when none was given.'),
});

const category = (label: string, what: string) =>
  behaviour<Guardrail>({
    label,
    help: `Checks each message for ${what} by one model call before the reply. Low objects only to severe cases, High to anything suspect.`,
    section: 'Guardrails',
    control: 'guardrail',
    schema: guardrail,
    fallback: off,
    answer: guardrailAnswer,
    stricter: whenGradeIsHigher(),
    evidence: { test: 'each graded category stops a message that it objects to, and the model is not asked' },
  });

export const piiDefault: PiiEntity[] = ['PERSON', 'EMAIL_ADDRESS', 'PHONE_NUMBER', 'CREDIT_CARD'];
const lockEvidence = (group: string) => ({ test: `the ${group} lock refuses a change of any key of its group` });

export const safety = {
  pii_lock: behaviour({
    label: 'Lock personal data settings',
    help: 'While this is on, the lists of anonymized and of allowed data can not be changed. Only an administrator of the organization can turn it off.',
    section: 'Personal data',
    schema: s.bool(),
    fallback: false,
    stricter: whenOn,
    evidence: lockEvidence('pii'),
  }),
  pii_anonimization: behaviour({
    label: 'Anonymized personal data',
    help: 'These kinds of personal data are replaced by placeholders in everything that is sent to a model, and put back in the reply. An empty list turns this off.',
    section: 'Personal data',
    ...piiField,
    fallback: piiEntriesOf(piiDefault),
    stricter: whenMoreEntities<PiiEntry>(),
    evidence: { test: 'anonymizes only the listed entities, and nothing with an empty list' },
  }),
  pii_allow: behaviour({
    label: 'Never personal data',
    help: 'Words that are never taken for personal data, such as names of products; `*` stands for any characters but spaces. A name passes when all of its words are allowed, an address or a number when an entry matches all of it.',
    section: 'Personal data',
    schema: piiAllowList,
    fallback: [],
    stricter: whenFewerAllowed,
    evidence: { test: 'leaves the words of pii_allow alone and hides all others' },
  }),
  guardrail_lock: behaviour({
    label: 'Lock guardrails',
    help: 'While this is on, the guardrails, the action on a violation and the blocking rules can not be changed. Only an administrator of the organization can turn it off.',
    section: 'Guardrails',
    schema: s.bool(),
    fallback: false,
    stricter: whenOn,
    evidence: lockEvidence('guardrail'),
  }),
  violence_and_hate: category('Violence and hate', 'violence and hate'),
  sexual_content: category('Sexual content', 'sexual content'),
  guns_and_weapons: category('Guns and weapons', 'guns and weapons'),
  suicide: category('Suicide and self-harm', 'suicide and self-harm'),
  crime: category('Crime', 'help with crimes'),
  toxicity: category('Toxicity', 'toxic language'),
  bias: category('Bias', 'bias against groups of people'),
  profanity: category('Profanity', 'profanity'),
  guardrails_scan_output: behaviour({
    label: 'Check replies too',
    help: 'The same categories are checked in each reply and in the arguments of its tool calls.',
    section: 'Guardrails',
    schema: s.bool(),
    fallback: false,
    stricter: whenOn,
    evidence: { test: 'without guardrails_scan_output the reply is not looked at' },
  }),
  guardrails_output_mode: behaviour({
    label: 'When replies are checked',
    help: 'After streaming: the reply is shown at once and retracted on a violation. Before streaming: nothing of the reply is shown until it has passed.',
    section: 'Guardrails',
    schema: s.oneOf(['post_stream', 'pre_stream']),
    fallback: 'post_stream',
    options: { post_stream: 'After streaming', pre_stream: 'Before streaming' },
    stricter: whenLater('post_stream', 'pre_stream'),
    evidence: { test: 'no byte of a refused reply reaches the client, for every action and dialect' },
  }),
  guardrail_action: behaviour({
    label: 'Action on a violation',
    help: 'What happens when a guardrail objects: the run fails, the reply is replaced, a person takes over, or the run goes on with a warning.',
    section: 'Violations',
    control: 'select',
    schema: guardrailAction,
    fallback: { value: 'fail', label: actionLabels.fail },
    options: actionLabels,
    answer: z.strictObject({
      value: z.enum(['fail', 'replace', 'human', 'warn']).describe('The action.'),
      label: z.string().describe('The name of the action, for screens.'),
    }),
    stricter: whenNotOnlyWarned<z.output<typeof guardrailAction>>(),
    evidence: { test: 'a streamed reply is retracted and cannot be read afterwards' },
  }),
  guardrail_action_replace: behaviour({
    label: 'Replacement reply',
    help: 'The reply that users get instead of a refused one.',
    section: 'Violations',
    control: 'long_text',
    schema: s.str(),
    fallback: '',
    shownWhen: { all: [{ key: 'guardrail_action', field: 'value', is: ['replace'] }] },
    evidence: { test: 'guardrail_action replace answers with guardrail_action_replace' },
  }),
  guardrail_action_human: behaviour({
    label: 'Note for the person who takes over',
    help: 'The note that a person reads when a violation hands the conversation over.',
    section: 'Violations',
    control: 'long_text',
    schema: s.str(),
    fallback: '',
    shownWhen: { all: [{ key: 'guardrail_action', field: 'value', is: ['human'] }] },
    evidence: {
      test: 'guardrail_action human leaves the conversation to a person, with guardrail_action_human as the note',
    },
  }),
  block_after_violations: behaviour({
    label: 'Block after violations',
    help: 'The conversation is locked at this number of violations; only an administrator unlocks it. 0 means never.',
    section: 'Violations',
    unit: 'violations',
    schema: s.int({ ge: 0 }),
    fallback: 0,
    stricter: whenLowerButNotZero,
    evidence: { test: 'at the n-th the conversation is locked with block_message, and an administrator unlocks it' },
  }),
  block_message: behaviour({
    label: 'Message of a blocked conversation',
    help: 'The text that a locked conversation answers with, unless the person who locked it gave another.',
    section: 'Violations',
    control: 'long_text',
    schema: s.str(),
    fallback: 'This conversation is locked due to repeated safety violations. Please start a new conversation.',
    evidence: { test: 'a conversation locked without a message says its block_message' },
  }),
  prompt_defense: behaviour({
    label: 'Rules that always apply',
    help: 'The last section of the system prompt. Use it for rules that no message may override.',
    section: 'Prompt protection',
    control: 'long_text',
    schema: s.str(),
    fallback: '',
    evidence: { test: 'the sections of the prompt stand in their order' },
  }),
  prompt_lock: behaviour({
    label: 'Lock the prompt',
    help: 'While this is on, persona, tone, all instructions and the rules that always apply can not be changed. Only an administrator of the organization can turn it off.',
    section: 'Prompt protection',
    schema: s.bool(),
    fallback: false,
    stricter: whenOn,
    evidence: lockEvidence('prompt'),
  }),
  jailbreak: behaviour({
    label: 'Jailbreak attempts',
    help: 'Checks each message for attempts to make the agent break its rules, by one model call.',
    section: 'Guardrails',
    schema: s.bool(),
    fallback: false,
    stricter: whenOn,
    evidence: { test: 'jailbreak and prompt_injection are looked for in what is said' },
  }),
  prompt_injection: behaviour({
    label: 'Prompt injection',
    help: 'Checks messages, tool results and retrieved passages for hidden instructions before the agent reads them.',
    section: 'Guardrails',
    schema: s.bool(),
    fallback: false,
    stricter: whenOn,
    evidence: { test: 'prompt_injection looks at what a tool found before the agent hears it' },
  }),
  four_eyes: behaviour({
    label: 'Four-eyes approval',
    help: 'The API key that caused a tool call can not approve it; another key has to.',
    section: 'Approvals',
    schema: s.bool(),
    fallback: false,
    stricter: whenOn,
    evidence: { test: 'four_eyes refuses the approval of the key that sent the message, by any of its values' },
  }),
  egress_approval: behaviour<EgressApproval>({
    label: 'Approval before sending',
    help: 'When a person must approve a tool call that sends something out of the workspace. `never` needs workspace_admin and a reason.',
    section: 'Approvals',
    control: 'json',
    schema: egressApproval,
    fallback: { mode: 'untrusted_only', reason: '' },
    answer: egressAnswer,
    stricter: whenAskedMoreOften(),
    evidence: { test: 'egress_approval asks before every send, only after untrusted content, or never' },
  }),
  allowed_hosts: behaviour<string[]>({
    label: 'Hosts that may be reached',
    help: 'The only hosts that tools of the agent, and of all that it starts, may reach; `*.example.com` for all below, `none` for no host. An empty list restricts nothing.',
    section: 'Approvals',
    schema: s.list(s.str({ min: 1, max: 260, pattern: hostPattern }), { max: 500 }),
    fallback: [],
    stricter: whenFewerHosts,
    evidence: { test: 'allowed_hosts refuses every other host, and names it' },
  }),
  context_leak: behaviour({
    label: 'Leaks of the system prompt',
    help: 'Checks each reply for pieces of the system prompt, without a model call. A leak counts as a violation.',
    section: 'Guardrails',
    schema: s.bool(),
    fallback: false,
    stricter: whenOn,
    evidence: { test: 'a reply that repeats the system prompt is a violation, with no model asked about it' },
  }),
};
