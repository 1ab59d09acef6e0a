import { RawAnswer } from '../../lib/answer.ts';
import { handle, type Route } from '../../lib/route.ts';
import { exportAgent, importAgent } from './exchange-operations.ts';
import type { AgentExport, Exported } from './export.ts';
import type { AgentImporting } from './import.ts';
import type { AgentPresenter } from './present.ts';

export const agentExchangeRoutes = (options: {
  exporting: AgentExport;
  importing: AgentImporting;
  present: AgentPresenter;
}): Route[] => [
  handle(
    exportAgent,
    (scope, { params }) => options.exporting(scope, params.agent_id),
    ({ id, ...file }: Exported) =>
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
