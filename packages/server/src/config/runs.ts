import { z } from 'zod';
import { texts, type Values, whole } from '../lib/environment-fields.ts';

/** Settings of runs: how many at once, approvals, and the tools that they may use. */
export const runVariables = {
  ATRIUM_MAX_RUNS: whole(1, 10_000, 200).describe(
    'Agent runs and workflow runs together that this machine executes at once, in all its processes; others wait in line',
  ),
  ATRIUM_MAX_RUNS_PER_WORKSPACE: whole(1, 10_000, 100).describe('How many of them one workspace may have'),
  ATRIUM_EGRESS_APPROVAL: z
    .enum(['on', 'enforced', 'off'])
    .default('on')
    .describe(
      'Whether a person must agree before an agent that has read private and untrusted things sends anything out. enforced: no agent may turn it off with egress_approval; off: only agents with the mode always ask',
    ),
  ATRIUM_APPROVAL_TIMEOUT: whole(1, 31_536_000, 86_400).describe(
    'Seconds after which a tool call that nobody has approved counts as rejected',
  ),
  ATRIUM_WORKFLOW_RUN_DAYS: whole(0, 3650, 30).describe(
    'Days for which runs of workflows are kept once they are over, with their journals; 0 keeps them for ever',
  ),
  ATRIUM_RUN_LOG_DAYS: whole(0, 3650, 0).describe(
    "Days for which the log of an agent's run is kept once it is over: what its stream is replayed from and the steps of its trace. Messages, costs and prompts stay; 0 keeps it as long as the conversation",
  ),
  ATRIUM_DB_POOL: whole(2, 500, 16).describe('Database connections of each process'),
  ATRIUM_MODELS_FILE: z
    .string()
    .optional()
    .describe('JSON file with models to add to the built-in catalogue, or to change in it'),
  ATRIUM_MCP_CONFIG: z
    .string()
    .optional()
    .describe('JSON file with MCP servers that are programs, which agents may then use by name ({"mcpServers": {…}})'),
  ATRIUM_MCP_ORIGINS: texts().describe(
    'Web origins whose pages may call /mcp, besides loopback (https://app.example.com), separated by commas',
  ),
};

export const runsFrom = (e: Values<typeof runVariables>) => ({
  max_runs: e.ATRIUM_MAX_RUNS,
  max_runs_per_workspace: e.ATRIUM_MAX_RUNS_PER_WORKSPACE,
  egress_approval: e.ATRIUM_EGRESS_APPROVAL,
  approval_timeout: e.ATRIUM_APPROVAL_TIMEOUT,
  workflow_run_days: e.ATRIUM_WORKFLOW_RUN_DAYS,
  run_log_days: e.ATRIUM_RUN_LOG_DAYS,
  db_pool: e.ATRIUM_DB_POOL,
  models_file: e.ATRIUM_MODELS_FILE,
  mcp_config: e.ATRIUM_MCP_CONFIG,
  mcp_origins: e.ATRIUM_MCP_ORIGINS as readonly string[],
});
