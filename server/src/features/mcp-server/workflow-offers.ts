import { z } from 'zod';
import { AppError, InvalidRequest } from '../../lib/errors.ts';
import { allows } from '../../lib/permissions.ts';
import { inputSchemaOf, jsonSchemaOf } from '../../lib/schema/json-schema.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Tool, ToolProgress } from '../../lib/tool.ts';
import { effectiveSettings, type Settings } from '../settings/settings.ts';
import { ToolError } from '../tools/run-tool.ts';
import type { Workflows } from '../workflows/service.ts';
import type { McpOffers, OfferedResult } from './offers.ts';

const output = z.object({ status: z.string(), output: z.record(z.string(), z.unknown()) });
const output_schema = jsonSchemaOf(output, 'output');
const refusal = (text: string): OfferedResult => ({ text, structured: {}, is_error: true });

export interface WorkflowOffersDeps {
  workflows: Pick<Workflows, 'list'>;
  /** Workflows as agents have them, which are named in settings. */
  toolsFor(scope: Scope, settings: Settings): Promise<Tool[]>;
}

/** Every workflow that a key may run, as a tool: the same tools that agents have. */
export function makeWorkflowOffers({ workflows, toolsFor }: WorkflowOffersDeps): McpOffers {
  async function offered(scope: Scope): Promise<Tool[]> {
    if (!allows(scope.permissions, 'flows_run')) return [];
    const ids: string[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const answer = await workflows.list(scope, { page, size: 100, type: 'flow' });
      ids.push(...answer.items.map(({ id }) => id));
      pages = answer.pages;
    }
    // Ids rise with time: the first of a name keeps it.
    return toolsFor(scope, effectiveSettings({ workflows: ids.sort(), workflows_parallel_enabled: true }));
  }

  return {
    list: async (scope) =>
      (await offered(scope)).map(({ tool: name, description, input }) => ({
        ...{ name, title: name, description, output_schema },
        input_schema: inputSchemaOf(input),
      })),

    async call(scope, name, given, { signal, progress }) {
      const tool = (await offered(scope)).find((one) => one.tool === name);
      if (!tool) return undefined;
      const read = tool.input.safeParse(given);
      if (!read.success) return refusal(`The input does not fit: ${z.prettifyError(read.error)}`);
      const watched = {
        ...{ id: name, taint: [], cost: () => {}, brings: () => {} },
        progress: ({ progress: percent }: ToolProgress) => progress(`${percent} %`),
      };
      try {
        const structured = output.parse(await tool.run(scope, read.data, signal, undefined, watched));
        return { text: JSON.stringify(structured.output), structured, is_error: false };
      } catch (error) {
        if (error instanceof InvalidRequest) return refusal(error.faults.map(({ msg }) => msg).join('; '));
        if (error instanceof AppError || error instanceof ToolError) return refusal(error.message);
        throw error;
      }
    },
  };
}
