import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { inputSchemaOf, jsonSchemaOf } from '@atrium/contract/schema/json-schema.ts';
import { effectiveSettings, type Settings } from '@atrium/contract/settings/settings.ts';
import { z } from 'zod';
import type { Scope } from '../../../lib/scope.ts';
import type { WorkflowApprovals } from '../../approvals/ports.ts';
import {
  describeHowToGoOn,
  type ExposedToolResult,
  type ExposedTools,
  type HowToGoOn,
  howToGoOn,
  type Waiting,
} from '../../mcp-server/ports.ts';
import type { Tool } from '../../tools/ports.ts';
import { ToolError } from '../../tools/service.ts';
import type { WorkflowRuns } from '../runs/workflow-runs.ts';
import type { Workflows } from '../service.ts';
import { watchRun, workflowRunResult } from './workflow-tools.ts';

const output = z.object({
  status: z.string(),
  output: z.record(z.string(), z.unknown()),
  next: howToGoOn.optional().describe('How to go on, when the workflow waits for a person'),
});
const refusal = (text: string): ExposedToolResult => ({ text, structured: {}, is_error: true });

/** Reports each percentage once. */
function makeProgressReporter(tell: Waiting['tell']) {
  let last = 0;
  return ({ progress: percent }: { progress: number }) => {
    if (percent <= last) return;
    last = percent;
    tell(`${percent} %`, percent);
  };
}

/** Turns the result of a run, or its failure, into the result of an MCP tool. */
async function toToolResult(work: () => Promise<z.output<typeof output>>): Promise<ExposedToolResult> {
  try {
    const structured = await work();
    const { next } = structured;
    const text = next ? describeHowToGoOn(next) : JSON.stringify(structured.output);
    return { text, structured, is_error: false };
  } catch (error) {
    if (error instanceof InvalidRequest) return refusal(error.validationErrors.map(({ msg }) => msg).join('; '));
    // The server is being stopped: the run goes on, and the client finds it again on another node.
    if (error instanceof AppError && error.kind === 'unavailable') throw error;
    if (error instanceof AppError || error instanceof ToolError) return refusal(error.message);
    throw error;
  }
}

export interface ExposeWorkflowsDeps {
  runs: Pick<WorkflowRuns, 'found' | 'settled' | 'get' | 'stop'>;
  workflows: Pick<Workflows, 'list'>;
  approvals: Pick<WorkflowApprovals, 'list'>;
  /** The workflows that settings name, as tools. */
  toolsFor(scope: Scope, settings: Settings): Promise<Tool[]>;
}

/** Exposes every workflow that the caller may run as an MCP tool; agents have the same tools. */
export function exposeWorkflowsAsTools({ runs, workflows, approvals, toolsFor }: ExposeWorkflowsDeps): ExposedTools {
  /** Adds how to go on to the result of a run that waits for approvals. */
  async function withNext(scope: Scope, run_id: string, result: unknown): Promise<z.output<typeof output>> {
    const read = output.parse(result);
    if (read.status !== 'awaiting_human_feedback') return read;
    const open = (await approvals.list(scope, run_id)).filter(({ decision }) => decision === null);
    const next: HowToGoOn = {
      run_id,
      waits_for: open.map(({ id, needs }) => ({
        ...{ type: 'approval', id, needs },
        answer_with: `POST /v1/runs/${run_id}/approvals/${id} {"decision": "approve" or "reject"}`,
      })),
      afterwards: `Then read the result: GET /v1/runs/${run_id}.`,
    };
    return { ...read, next };
  }

  async function listTools(scope: Scope): Promise<Tool[]> {
    if (!allows(scope.permissions, 'flows_run')) return [];
    const ids: string[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const answer = await workflows.list(scope, { page, size: 100, type: 'flow' });
      ids.push(...answer.items.map(({ id }) => id));
      pages = answer.pages;
    }
    // Sorted by age, so that of two workflows with one name the older keeps it.
    return toolsFor(scope, effectiveSettings({ workflows: ids.sort(), workflows_parallel_enabled: true }));
  }

  return {
    async list(scope) {
      const output_schema = jsonSchemaOf(output, 'output');
      return (await listTools(scope)).map(({ tool: name, description, input }) => ({
        ...{ name, title: name, description, output_schema },
        input_schema: inputSchemaOf(input),
      }));
    },

    async call(scope, name, given, { signal, run_id, tell }) {
      const tool = (await listTools(scope)).find(({ tool }) => tool === name);
      if (!tool) return undefined;
      const read = tool.input.safeParse(given);
      if (!read.success) return refusal(`The input does not fit: ${z.prettifyError(read.error)}`);
      const call = {
        ...{ id: name, run_id, taint: [], cost: () => {}, brings: () => {} },
        progress: makeProgressReporter(tell),
      };
      return toToolResult(async () =>
        withNext(scope, run_id, await tool.run(scope, read.data, signal, undefined, call)),
      );
    },

    async follow(scope, run_id, { signal, left, tell }) {
      const run = allows(scope.permissions, 'flows_run') && (await runs.found(scope, run_id));
      if (!run || run.principal.actor.id !== scope.actor.id) return undefined;
      return toToolResult(async () => {
        const own = { ...scope, signal: AbortSignal.any([signal, left]) };
        try {
          const ended = await watchRun(runs, own, run_id, makeProgressReporter(tell));
          return await withNext(scope, run_id, workflowRunResult(ended));
        } catch (error) {
          if (signal.aborted) await runs.stop(scope, run_id);
          throw error;
        }
      });
    },
  };
}
