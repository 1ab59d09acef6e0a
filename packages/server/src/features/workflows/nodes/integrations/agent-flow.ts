import {
  agentEndNodeType,
  agentMessageSendNodeType,
  agentStartNodeType,
  basicAgentNodeType,
  chatAgentNodeType,
  choiceAgentNodeType,
  choiceOutputs,
  formExtractionAgentNodeType,
} from '@atrium/contract/workflows/node-types/integrations/agent-flow.ts';
import { z } from 'zod';
import { askForJson } from '../../node-services/ask-language-model.ts';
import type { AskModel } from '../../node-services/ask-model.ts';
import { defineNode, type ExecutableNode, type NodeContext } from '../define-node.ts';

interface Said {
  role: string;
  text: string;
}

const historyOf = ({ input }: NodeContext): Said[] =>
  Array.isArray(input['history']) ? (input['history'] as Said[]) : [];
const messageOf = ({ input }: NodeContext): string => (typeof input['message'] === 'string' ? input['message'] : '');

/** The history and the message as one text for a model. */
const talkOf = (context: NodeContext, message: string) =>
  [...historyOf(context), { role: 'user', text: message }].map(({ role, text }) => `${role}: ${text}`).join('\n');

/** Starts each turn of a conversation. */
const agentStartNode = defineNode(agentStartNodeType, async (context) => ({
  message: messageOf(context),
  history: historyOf(context),
}));

/** Sends a message in the conversation; the flow may continue. */
const agentMessageSendNode = defineNode(agentMessageSendNodeType, async (_, { message }, { template }) => ({
  output: template || (message ?? ''),
}));

/** Ends a turn; its input, if there is one, is the last message. */
const agentEndNode = defineNode(agentEndNodeType, async (_, { message }) => ({ output: message ?? '' }));

/** Chooses the output that fits the message of the user. */
const makeChoiceAgentNode = (ask: AskModel) =>
  defineNode(choiceAgentNodeType, async (context, { message }, { choices, ...model }) => {
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
    return { [choiceOutputs[choice - 1] ?? 'otherwise']: said };
  });

/** Finds the values of a form in the conversation and asks for missing ones. */
const makeFormExtractionNode = (ask: AskModel) =>
  defineNode(formExtractionAgentNodeType, async (context, { message }, { fields, ...model }) => {
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
  });

/** Answers one message; the model does not see what was said before. */
const makeBasicAgentNode = (ask: AskModel) =>
  defineNode(
    basicAgentNodeType,
    async (context, { message }, { instructions, ...model }) => {
      const text = typeof message === 'string' ? message : messageOf(context);
      return { output: (await ask(context, { ...model, system: instructions, text })).text };
    },
    { prompts: ['instructions'] },
  );

/** Answers with the conversation so far as context. */
const makeChatAgentNode = (ask: AskModel) =>
  defineNode(
    chatAgentNodeType,
    async (context, { message }, { instructions, ...model }) => {
      const said = typeof message === 'string' ? message : messageOf(context);
      const text = talkOf(context, said);
      return { output: (await ask(context, { ...model, system: instructions, text })).text };
    },
    { prompts: ['instructions'] },
  );

/** The nodes for workflows of the type `agent_flow`. */
export const agentFlowNodes = (ask: AskModel): ExecutableNode[] => [
  agentStartNode,
  agentMessageSendNode,
  agentEndNode,
  makeChoiceAgentNode(ask),
  makeFormExtractionNode(ask),
  makeBasicAgentNode(ask),
  makeChatAgentNode(ask),
];
