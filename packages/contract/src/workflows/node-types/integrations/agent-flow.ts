import type * as z from 'zod';
import * as s from '../../../schema/schema.ts';
import { c } from '../config-fields.ts';
import { keyed, plain } from '../connectors.ts';
import { lowTemperatureModelFields, modelFields } from '../model-fields.ts';
import { nodeType } from '../node-type.ts';

const used_in = ['agent_flow'] as const;

const category = 'agent_flow';

export const choiceOutputs = [
  'choice_1',
  'choice_2',
  'choice_3',
  'choice_4',
  'choice_5',
  'choice_6',
  'choice_7',
  'choice_8',
] as const;

const answerFields = {
  instructions: c.template({ default: '', description: 'What the model is to do, with ((Key))' }),
  ...modelFields,
};

export const agentStartNodeType = nodeType({
  type: 'AgentStartNode',
  title: 'Message comes in',
  description: 'Where a turn begins: what the user said, and what was said before.',
  category,
  inputs: [],
  outputs: [plain('message'), plain('history', { data_type: 'Chat' })],
  config: {},
  used_in,
  example: {},
});

export const agentMessageSendNodeType = nodeType({
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
  example: { template: 'One moment, ((Name)), I look it up.' },
});

export const agentEndNodeType = nodeType({
  type: 'AgentEndNode',
  title: 'End of turn',
  description: 'Ends the turn; what comes in is said.',
  category,
  inputs: [plain('message', { optional: true })],
  outputs: [plain('output')],
  config: {},
  used_in,
  gives: true,
  example: {},
});

export const choiceAgentNodeType = nodeType({
  type: 'ChoiceAgentNode',
  title: 'Choose a way',
  description: 'Goes the way that fits what the user said, by a language model.',
  category,
  inputs: [plain('message', { optional: true })],
  outputs: [...choiceOutputs.map((name, index) => plain(name, { label: `Choice ${index + 1}` })), plain('otherwise')],
  config: {
    choices: c.list(s.str({ min: 1, max: 2000 }), {
      min: 1,
      max: choiceOutputs.length,
      description: 'When to go each way, in words',
    }),
    ...lowTemperatureModelFields,
  },
  used_in,
  example: { choices: ['The user wants to return something', 'The user asks about an invoice'] },
});

export const formExtractionAgentNodeType = nodeType({
  type: 'FormExtractionAgentNode',
  title: 'Fill a form',
  description: 'Finds the values of a form in the conversation, and asks for those that are missing.',
  category,
  inputs: [plain('message', { optional: true })],
  outputs: [plain('complete', { data_type: 'dict' }), plain('missing')],
  config: {
    fields: c.list(
      s.object({
        name: s.str({ min: 1, max: 100 }).describe('The name of the value in the result.'),
        description: s.withDefault(s.str({ max: 2000 }), '').describe('What the value is, as the model is told.'),
        required: s.withDefault(s.bool(), true).describe('Whether the user is asked until it is known.'),
      }) as z.ZodType<{ name: string; description: string; required: boolean }>,
      { min: 1, max: 50, description: 'The fields: name, description, required' },
    ),
    ...lowTemperatureModelFields,
  },
  used_in,
  example: { fields: [{ name: 'order_no', description: 'The number of the order' }] },
});

export const basicAgentNodeType = nodeType({
  type: 'BasicAgentNode',
  title: 'Answer one message',
  description: 'A language model answers what comes in, and knows nothing else.',
  category,
  inputs: [plain('message', { optional: true }), keyed('variables', { optional: true })],
  outputs: [plain('output')],
  config: answerFields,
  used_in,
  example: { instructions: 'Answer in one sentence.' },
});

export const chatAgentNodeType = nodeType({
  type: 'ChatAgentNode',
  title: 'Answer in the conversation',
  description: 'A language model answers, knowing what was said before.',
  category,
  inputs: [plain('message', { optional: true }), keyed('variables', { optional: true })],
  outputs: [plain('output')],
  config: answerFields,
  used_in,
  example: { instructions: 'You help customers of ((Shop)).' },
});
