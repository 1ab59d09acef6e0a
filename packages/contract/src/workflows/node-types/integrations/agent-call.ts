import { c } from '../config-fields.ts';
import { plain } from '../connectors.ts';
import { exampleId } from '../example-id.ts';
import { nodeType } from '../node-type.ts';

export const agentCallNodeType = nodeType({
  type: 'AgentCallNode',
  title: 'Ask agent',
  description: 'Has an agent answer, with its own tools and knowledge.',
  category: 'agents',
  effects: 'outside',
  // The conversation and its run are created once for each key; a second try joins them.
  repeatable: true,
  timeout: 600,
  inputs: [plain('message'), plain('conversation_id', { optional: true })],
  outputs: [plain('output', { label: 'Reply' }), plain('conversation', { label: 'Conversation' })],
  config: {
    agent_id: c.reference('agent', { description: 'The agent to ask' }),
    name: c.template({ default: '', advanced: true, description: 'What the conversation is called' }),
  },
  example: { agent_id: exampleId },
});
