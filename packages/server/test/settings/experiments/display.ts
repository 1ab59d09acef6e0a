import { z } from 'zod';
import type { Json, Reply } from '../../../src/drivers/models/conformance-support.ts';
import { defineTool } from '../../../src/features/tools/service.ts';
import { until } from '../../support/two-nodes.ts';
import type { Experiment, Experiments } from '../experiment.ts';
import { sharedWith } from '../experiment.ts';
import type { Observation, Observer } from '../observe.ts';

const passage = 'The heron of the marsh nests in March';
/** A tool whose result has two sources at one address. */
export const sourceTool = defineTool({
  ...{ tool: 'lookup_find', description: 'Finds', input: z.looseObject({}), output: z.string(), repeatable: true },
  sources: () => [
    { url: 'https://birds.example/heron', title: 'Herons', quote: passage },
    { url: 'https://birds.example/heron', title: 'Herons', quote: `${passage}, says the warden` },
  ],
  run: async () => passage,
});
const finding: Reply[] = [{ tool_calls: [{ id: 'c1', name: 'lookup_find', input: {} }] }, { text: `${passage}.` }];
const thinking: Reply[] = [{ reasoning: 'Let me see now', text: 'Four' }];
const failing: Reply[] = [{ status: 400, error: 'No' }];

const partsOf = ({ stored }: Observation): Json[] => stored.ui_messages.at(-1).parts;
const types = (seen: Observation): string[] => partsOf(seen).map(({ type }) => type);
/** The pieces of a stream, put together. */
const joined = (answer: string) => [...answer.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta).join('');
/** Whether the text is in the stream of a conversation; other paths have no stream of parts. */
const streamed = ({ path, answer }: Observation, text: string) =>
  path === 'conversation' || path === 'flow' ? answer.includes(text) || joined(answer).includes(text) : null;
/** Whether a part of this type is in the stored reply, and in the stream where there is one. */
const shownIn =
  (type: string, text = `"${type}"`) =>
  (seen: Observation) => {
    const stored = types(seen).includes(type);
    const stream = streamed(seen, text);
    return stream === null || stream === stored ? stored : 'the stream and the stored reply differ';
  };
const word = (key: string): Experiment => ({
  values: ['More?', 'Less?'],
  look: async (seen, observer) => (await sharedWith(seen, observer)).feedback_form[key],
  shows: ['More?', 'Less?'],
});
const sharedTypes = async (seen: Observation, observer: Observer): Promise<string[]> =>
  (await sharedWith(seen, observer)).ui_messages.at(-1).parts.map(({ type }: Json) => type);

/** How replies are shown. */
export const displayExperiments: Experiments = {
  hide_reasoning: {
    values: [false, true],
    replies: thinking,
    look: shownIn('reasoning', 'Let me see'),
    shows: [true, false],
  },
  group_into_chain_of_thought: {
    values: [true, false],
    replies: thinking,
    look: shownIn('data-chain-of-thought'),
    shows: [true, false],
  },
  chain_of_thought_final_answer_only: {
    values: [false, true],
    replies: thinking,
    look: shownIn('reasoning', 'Let me see'),
    shows: [true, false],
  },
  hide_workflow_progress: {
    values: [false, true],
    look: shownIn('data-workflow-progress'),
    shows: [true, false],
    elsewhere: { conversation: 'hide_workflow_progress leaves the progress of workflows out' },
  },
  hide_state_transitions: { values: [false, true], look: shownIn('data-state-transition'), shows: [true, false] },
  hide_error_banners: { values: [false, true], replies: failing, look: shownIn('data-error'), shows: [true, false] },
  tool_display_preset: {
    values: ['execution', 'hidden'],
    replies: finding,
    look: (seen) => types(seen).includes('tool-lookup_find'),
    shows: [true, false],
  },
  minimal_caret_only: {
    given: { tool_display_preset: 'minimal' },
    values: [true, false],
    replies: finding,
    look: (seen) => partsOf(seen).find(({ type }) => type === 'data-tool-activity')?.data.message,
    shows: [null, 'Thinking...'],
  },
  minimal_tool_message: {
    given: { tool_display_preset: 'minimal', minimal_caret_only: false },
    values: ['Looking', 'Seeking'],
    replies: finding,
    look: (seen) => partsOf(seen).find(({ type }) => type === 'data-tool-activity')?.data.message,
    shows: ['Looking', 'Seeking'],
  },
  hidden_tools: {
    values: [[], ['lookup_find']],
    replies: finding,
    look: shownIn('tool-lookup_find', 'lookup_find'),
    shows: [true, false],
  },
  message_footer_enabled: {
    given: { message_footer: 'Made by a machine' },
    values: [false, true],
    look: ({ answer }) => answer.includes('Made by a machine'),
    shows: [false, true],
  },
  message_footer: {
    given: { message_footer_enabled: true },
    values: ['Made by a machine', 'Check this'],
    look: ({ answer }) => /Made by a machine|Check this/.exec(answer)?.[0],
    shows: ['Made by a machine', 'Check this'],
  },
  citation_style: {
    values: ['text', 'none'],
    replies: finding,
    look: shownIn('source-url'),
    shows: [true, false],
  },
  deduplicate_sources_by_url: {
    values: [false, true],
    replies: finding,
    look: (seen) => types(seen).filter((type) => type === 'source-url').length,
    shows: [2, 1],
  },
  omit_citation_quotes: {
    values: [false, true],
    replies: finding,
    look: (seen) => partsOf(seen).find(({ type }) => type === 'source-url')?.providerMetadata?.atrium?.quote,
    shows: [passage, undefined],
  },
  transport_show_tool_calls: {
    values: [false, true],
    replies: finding,
    look: async (seen, observer) => (await sharedTypes(seen, observer)).includes('tool-lookup_find'),
    shows: [false, true],
  },
  transport_show_sources: {
    values: [true, false],
    replies: finding,
    look: async (seen, observer) => (await sharedTypes(seen, observer)).includes('source-url'),
    shows: [true, false],
  },
  transport_show_thinking: {
    values: [false, true],
    replies: thinking,
    look: async (seen, observer) => (await sharedTypes(seen, observer)).includes('reasoning'),
    shows: [false, true],
  },
  agent_title_mode: {
    values: ['off', 'first_message'],
    says: ['When do herons nest?'],
    look: async ({ stored }, { good }) => {
      const named = async () => (await good('GET', `/v1/conversations/${stored.id}`)).name;
      if (stored.settings.agent_title_mode === 'off') return named();
      return until('it has its name', async () => ((await named()) === 'When do herons nest?' ? named() : undefined));
    },
    shows: ['New conversation', 'When do herons nest?'],
  },
  agent_title_prompt: {
    given: { agent_title_mode: 'generate' },
    values: ['', 'Name it after a bird'],
    look: async (seen) => {
      await until('the model was asked for a name', async () => seen.sent.length > 1);
      return JSON.stringify(seen.sent).includes('Name it after a bird');
    },
    shows: [false, true],
  },
  feedback_placeholder: word('placeholder'),
  feedback_submit_label: word('submit_label'),
  feedback_cancel_label: word('cancel_label'),
};
