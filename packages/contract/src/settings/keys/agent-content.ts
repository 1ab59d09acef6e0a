import type * as z from 'zod';
import * as s from '../../schema/schema.ts';
import { onlyIf } from '../key.ts';
import { emptyRichText, richText, richTextAnswer } from '../rich-text.ts';
import { behaviour, capability, presentation } from '../setting-class.ts';

/** Keys whose default is "none" are null in answers; null on the way in says the same as leaving them out. */
export const orNone = (schema: z.ZodType<string>) => schema as z.ZodType<string | null>;

export const inPrompt = { test: 'the sections of the prompt stand in their order' };
export const inPromptWhenOn = {
  test: 'guidelines and citation instructions are in the prompt only when they are turned on',
};

const promptText = () =>
  ({
    section: 'Instructions',
    control: 'rich_text',
    schema: richText(),
    fallback: emptyRichText(),
    answer: richTextAnswer,
  }) as const;

/** Who the agent is and how it answers. */
export const agentContent = {
  agent_flow_id: capability({
    label: 'Flow',
    help: 'The workflow that drives the conversation.',
    section: 'Flow',
    control: 'reference',
    schema: orNone(s.str({ min: 1 })),
    fallback: null,
    shownWhen: onlyIf('agentflow_enabled', true),
    evidence: { test: 'a flow drives the conversation when agentflow_enabled is set' },
  }),
  capability_versions: presentation({
    label: 'Capability versions',
    help: 'Stored for clients and returned as it came; it has no effect on the server.',
    section: 'Stored for clients',
    control: 'none',
    schema: s.dict(),
    fallback: {},
    evidence: 'kept for clients',
  }),
  is_coworker: presentation({
    label: 'Co-worker',
    help: 'Stored for clients and returned as it came; it has no effect on the server.',
    section: 'Stored for clients',
    control: 'none',
    schema: s.bool(),
    fallback: true,
    evidence: 'kept for clients',
  }),
  preset_selector: presentation({
    label: 'Preset selector',
    help: 'Stored for clients and returned as it came; it has no effect on the server.',
    section: 'Stored for clients',
    control: 'none',
    schema: orNone(s.str()),
    fallback: null,
    evidence: 'kept for clients',
  }),
  languages: presentation({
    label: 'Languages',
    help: 'The languages that the agent answers in. Empty: the prompt names none.',
    section: 'Instructions',
    schema: s.list(s.str(), { max: 1000 }),
    fallback: [],
    evidence: inPrompt,
  }),
  default_language: presentation({
    label: 'Default language',
    help: 'The language that the agent answers in unless the user writes in another.',
    section: 'Instructions',
    schema: orNone(s.str()),
    fallback: null,
    evidence: inPrompt,
  }),
  persona: behaviour({
    label: 'Persona',
    help: 'Who the agent is and what it is for. The first section of the system prompt.',
    ...promptText(),
    evidence: inPrompt,
  }),
  tone: behaviour({
    label: 'Tone',
    help: 'How the agent writes: formal or casual, short or detailed.',
    ...promptText(),
    evidence: inPrompt,
  }),
  extra_instructions: behaviour({
    label: 'Further instructions',
    help: 'What else the agent has to know or to follow.',
    ...promptText(),
    evidence: inPrompt,
  }),
  citation_instructions: behaviour({
    label: 'Citation instructions',
    help: 'How the agent cites its sources.',
    ...promptText(),
    shownWhen: onlyIf('citation_instructions_enabled', true),
    evidence: inPromptWhenOn,
  }),
};
