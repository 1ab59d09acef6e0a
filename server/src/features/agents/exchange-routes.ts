import { RawAnswer } from '../../lib/answer.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import { agentFile, agentImport, fileFormat, fileVersion, importAnswer, importQuery } from './exchange-schema.ts';
import type { AgentExport, Exported } from './export.ts';
import type { AgentImporting } from './import.ts';
import type { AgentPresenter } from './present.ts';
import { agentParams } from './schema.ts';

const tag = 'Agents';
/** A file holds what several requests of the usual size have set. */
const largestFile = 16 * 1024 * 1024;

export const agentExchangeRoutes = (options: {
  exporting: AgentExport;
  importing: AgentImporting;
  present: AgentPresenter;
}): Route[] => [
  defineRoute({
    route: 'GET /v1/agents/{agent_id}/export',
    summary: 'Download an agent as a file, without its secrets',
    tag,
    permission: 'agents_edit',
    params: agentParams,
    answer: agentFile,
    handler: (scope, { params }) => options.exporting(scope, params.agent_id),
    present: ({ id, ...file }: Exported) =>
      new RawAnswer(JSON.stringify(file), {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="agent-${id}.json"`,
        'x-content-type-options': 'nosniff',
      }),
  }),
  defineRoute({
    route: 'POST /v1/agents/import',
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
    handler: (scope, { query, body }) => options.importing(scope, body, query.agent_id),
    present: options.present.imported,
  }),
];
