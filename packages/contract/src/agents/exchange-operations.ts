import { operation } from '../operation.ts';
import { agentFile, agentImport, fileFormat, fileVersion, importAnswer, importQuery } from './exchange-schema.ts';
import { agentsRoutes } from './routes.ts';
import { agentParams } from './schema.ts';

const tag = 'Agents';

/** A file holds what several requests of the usual size have set. */
const largestFile = 16 * 1024 * 1024;

export const exportAgent = operation({
  id: 'agents.export',
  route: agentsRoutes['agents.export'],
  summary: 'Export an agent as a file',
  description:
    'Returns an agent with its draft as a file that another workspace or installation can import. Secrets are left out and their places listed; records that it refers to are listed with their names.',
  tag,
  permission: 'agents_edit',
  params: agentParams,
  answer: agentFile,
});

export const importAgent = operation({
  id: 'agents.import',
  route: agentsRoutes['agents.import'],
  summary: 'Import an agent from a file',
  description:
    'Creates an agent from an exported file, or publishes the settings of the file as a new version of `agent_id`. References are matched by `mapping`, then by id, then by a unique name; those that match nothing are dropped and reported.',
  tag,
  permission: 'agents_edit',
  query: importQuery,
  body: agentImport,
  body_limit: largestFile,
  example: {
    format: fileFormat,
    version: fileVersion,
    agent: { name: 'Support', definition: { persona: 'You are a patient support agent.', temperature: 0.2 } },
  },
  answer: importAnswer,
});

export const agentExchangeOperations = [exportAgent, importAgent];
