import { z } from 'zod';
import type { Tool } from '../../tools/ports.ts';
import { defineTool } from '../../tools/service.ts';

/** Set by the tool, read and cleared by the next compaction. */
export interface CompactionRequest {
  asked: boolean;
}

/** Made once: each run has a tool of its own. */
const [input, output] = [z.object({}), z.object({ scheduled: z.boolean() })];

/** Lets the agent request compaction before the context window is full. */
export const makeCompactionTool = (request: CompactionRequest): Tool =>
  defineTool({
    tool: 'context_compact',
    description:
      'Replaces the oldest part of this conversation by a summary before your next step. Use it when a long piece of work is finished and its details are no longer needed.',
    input,
    output,
    repeatable: true,
    run: async () => {
      request.asked = true;
      return { scheduled: true };
    },
  });
