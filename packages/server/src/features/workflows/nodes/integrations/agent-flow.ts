import * as s from '@atrium/contract/schema/schema.ts';
import { z } from 'zod';
import { askForJson, lowTemperatureModelFields } from '../../node-services/ask-language-model.ts';
import { type AskModel, modelFields } from '../../node-services/ask-model.ts';
import { c } from '../../node-types/config-fields.ts';
import { keyed, plain } from '../../node-types/connectors.ts';
import { defineNode, type NodeContext, type NodeType } from '../../node-types/define-node.ts';

const used_in = ['agent_flow'] as const;
const category = 'agent_flow';

interface Said {
  role: string;
  text: string;
}

const historyOf = ({ input }: NodeContext): Said[] =>
  Array.isArray(input['history']) ? (input['history'] as Said[]) : [];
const messageOf = ({ input }: NodeContext): string => (typeof input['message'] === 'string' ? input['message'] : '');

/** What was said so far and now, as one text for a model. */
const talkOf = (context: NodeContext, message: string) =>
  [...historyOf(context), { role: 'user', text: message }].map(({ role, text }) => `${role}: ${text}`).join('\n');

/** Where each turn of a conversation begins. */
const agentStartNode = defineNode({
  type: 'AgentStartNode',
  title: 'Message comes in',
  description: 'Where a turn begins: what the user said, and what was said before.',
  category,
  inputs: [],
  outputs: [plain('message'), plain('history', { data_type: 'Chat' })],
  config: {},
  used_in,
  run: async (context) => ({ message: messageOf(context), history: historyOf(context) }),
});

/** Says something in the conversation; the flow may go on. */
const agentMessageSendNode = defineNode({
  type: 'AgentMessageSendNode',
  title: 'Send message',
  description: 'Says something in the conversation.',
  category,
  inputs: [plain('message', { optional: true }), keyed('variables', { optional: true })],
  outputs: [plain('output')],
  config: {
    template: c.template({ default: '', description: 'The text, with ((Key)); without, what comes in is said' }),
  },
  used_in,
  gives: true,
  run: async (_, { message }, { template }) => ({ output: template || (message ?? '') }),
});

/** Where a turn ends; what comes in, if anything, is the last thing said. */
const agentEndNode = defineNode({
  type: 'AgentEndNode',
  title: 'End of turn',
  description: 'Ends the turn; what comes in is said.',
  category,
  inputs: [plain('message', { optional: true })],
  outputs: [plain('output')],
  config: {},
  used_in,
  gives: true,
  run: async (_, { message }) => ({ output: message ?? '' }),
});

const ways = ['choice_1', 'choice_2', 'choice_3', 'choice_4', 'choice_5', 'choice_6', 'choice_7', 'choice_8'] as const;

/** Goes the way that fits what the user said. */
const makeChoiceAgentNode = (ask: AskModel) =>
  defineNode({
    type: 'ChoiceAgentNode',
    title: 'Choose a way',
    description: 'Goes the way that fits what the user said, by a language model.',
    category,
    inputs: [plain('message', { optional: true })],
    outputs: [...ways.map((name, index) => plain(name, { label: `Choice ${index + 1}` })), plain('otherwise')],
    config: {
      choices: c.list(s.str({ min: 1, max: 2000 }), {
        min: 1,
        max: ways.length,
        description: 'When to go each way, in words',
      }),
      ...lowTemperatureModelFields,
    },
    used_in,
    async run(context, { message }, { choices, ...model }) {
      const said = typeof message === 'string' ? message : messageOf(context);
      const listed = choices.map((choice, index) => `${index + 1}. ${choice}`).join('\n');
      const system = `Which of these fits what the user wants? 0 when none does.\n${listed}`;
      const json_schema = {
        type: 'object',
        properties: { choice: { type: 'integer', minimum: 0, maximum: choices.length } },
        required: ['choice'],
        additionalProperties: false,
      };
      const shape = z.object({ choice: z.int().min(0).max(choices.length) });
      const question = { ...model, system, text: talkOf(context, said), json_schema };
      const { choice } = await askForJson(ask, context, question, (answer) => shape.safeParse(answer).data);
      return { [ways[choice - 1] ?? 'otherwise']: said };
    },
  });

/** Finds values in what the user has said so far; asks for what is missing. */
const makeFormExtractionNode = (ask: AskModel) =>
  defineNode({
    type: 'FormExtractionAgentNode',
    title: 'Fill a form',
    description: 'Finds the values of a form in the conversation, and asks for those that are missing.',
    category,
    inputs: [plain('message', { optional: true })],
    outputs: [plain('complete', { data_type: 'dict' }), plain('missing')],
    config: {
      fields: c.list(
        s.object({
          name: s.str({ min: 1, max: 100 }),
          description: s.withDefault(s.str({ max: 2000 }), ''),
          required: s.withDefault(s.bool(), true),
        }) as z.ZodType<{ name: string; description: string; required: boolean }>,
        { min: 1, max: 50, description: 'The fields: name, description, required' },
      ),
      ...lowTemperatureModelFields,
    },
    used_in,
    async run(context, { message }, { fields, ...model }) {
      const said = typeof message === 'string' ? message : messageOf(context);
      const properties = Object.fromEntries(
        fields.map(({ name, description }) => [name, { type: ['string', 'null'], description }]),
      );
      const names = fields.map(({ name }) => name);
      const json_schema = {
        type: 'object',
        properties: {
          values: { type: 'object', properties, required: names, additionalProperties: false },
          question: { type: 'string' },
        },
        required: ['values', 'question'],
        additionalProperties: false,
      };
      const system =
        'Find these values in the conversation; null for what was not said. `question` asks the user for what is missing.' +
        `\n${fields.map(({ name, description }) => `${name}: ${description}`).join('\n')}`;
      const shape = z.object({ values: z.record(z.string(), z.unknown()), question: z.string() });
      const asked = { ...model, system, text: talkOf(context, said), json_schema };
      const { values, question } = await askForJson(ask, context, asked, (answer) => shape.safeParse(answer).data);
      const missing = fields.filter(({ name, required }) => required && (values[name] ?? '') === '');
      if (missing.length === 0) return { complete: values };
      return { missing: question || `Please tell me: ${missing.map(({ name }) => name).join(', ')}` };
    },
  });

/** A model that answers, with what was said before or without. */
const makeAnsweringNode = (ask: AskModel, type: 'BasicAgentNode' | 'ChatAgentNode') =>
  defineNode({
    type,
    title: type === 'ChatAgentNode' ? 'Answer in the conversation' : 'Answer one message',
    description:
      type === 'ChatAgentNode'
        ? 'A language model answers, knowing what was said before.'
        : 'A language model answers what comes in, and knows nothing else.',
    category,
    inputs: [plain('message', { optional: true }), keyed('variables', { optional: true })],
    outputs: [plain('output')],
    config: {
      instructions: c.template({ default: '', description: 'What the model is to do, with ((Key))' }),
      ...modelFields,
    },
    used_in,
    async run(context, { message }, { instructions, ...model }) {
      const said = typeof message === 'string' ? message : messageOf(context);
      const text = type === 'ChatAgentNode' ? talkOf(context, said) : said;
      return { output: (await ask(context, { ...model, system: instructions, text })).text };
    },
  });

/** The nodes that only flows have which drive a conversation. */
export const agentFlowNodes = (ask: AskModel): NodeType[] => [
  agentStartNode,
  agentMessageSendNode,
  agentEndNode,
  makeChoiceAgentNode(ask),
  makeFormExtractionNode(ask),
  makeAnsweringNode(ask, 'BasicAgentNode'),
  makeAnsweringNode(ask, 'ChatAgentNode'),
];
