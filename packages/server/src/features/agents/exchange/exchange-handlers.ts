import { exportAgent, importAgent } from '@atrium/contract/agents/exchange-operations.ts';
import { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { AgentPresenter } from '../present.ts';
import type { AgentExport, ExportedAgent } from './export-agent.ts';
import type { AgentImporter } from './import-agent.ts';

export const agentExchangeRoutes = (options: {
  exporting: AgentExport;
  importing: AgentImporter;
  present: AgentPresenter;
}): Route[] => [
  handle(
    exportAgent,
    (scope, { params }) => options.exporting(scope, params.agent_id),
    ({ id, ...file }: ExportedAgent) =>
      new RawAnswer(JSON.stringify(file), {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="agent-${id}.json"`,
        'x-content-type-options': 'nosniff',
      }),
  ),
  handle(
    importAgent,
    (scope, { query, body }) => options.importing(scope, body, query.agent_id),
    options.present.imported,
  ),
];
