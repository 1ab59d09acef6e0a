import { listRunToolCalls, listToolCalls } from '@atrium/contract/runs/tool-call-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { Runs } from '../service.ts';
import type { ToolCalls } from './tool-calls.ts';

/** The endpoints of the audit log of tool calls. */
export const toolCallRoutes = (toolCalls: ToolCalls, runs: Pick<Runs, 'find'>): Route[] => [
  handle(listToolCalls, (scope, { query }) => toolCalls.list(scope, query)),
  handle(listRunToolCalls, async (scope, { params, query }) => {
    await runs.find(scope, params.run_id);
    return toolCalls.list(scope, { ...query, run_id: params.run_id });
  }),
];
