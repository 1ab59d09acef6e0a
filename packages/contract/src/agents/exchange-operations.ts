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
  summary: 'Download an agent as a file, without its secrets',
  tag,
  permission: 'agents_edit',
  params: agentParams,
  answer: agentFile,
});

export const importAgent = operation({
  id: 'agents.import',
  route: agentsRoutes['agents.import'],
  summary: 'Make an agent from a file, or publish it as a new version of one',
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
