import { c } from '../config-fields.ts';
import { keyed, plain } from '../connectors.ts';
import { exampleId } from '../example-id.ts';
import { nodeType } from '../node-type.ts';

export const toolCallNodeType = nodeType({
  type: 'ToolCallNode',
  title: 'Call tool',
  description:
    'Calls a tool that an agent has: of an MCP server, an action, a database, a table, a knowledge base, or in the flow of a conversation a base tool.',
  category: 'integrations',
  effects: 'outside',
  timeout: 120,
  inputs: [keyed('arguments', { optional: true, data_type: 'Custom' })],
  outputs: [plain('output', { data_type: 'Custom' })],
  config: {
    agent_id: c.reference('agent', { description: 'The agent that has the tool' }),
    tool: c.text({ max: 200, description: 'What the tool is called, as the agent knows it' }),
    fixed: c.dict({ default: {}, description: 'Arguments that are always the same' }),
  },
  example: { agent_id: exampleId, tool: 'mcp_crm_find_customer', fixed: { limit: 5 } },
});
