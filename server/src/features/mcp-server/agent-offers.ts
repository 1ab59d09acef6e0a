import { z } from 'zod';
import { AppError, InvalidRequest } from '../../lib/errors.ts';
import { allows } from '../../lib/permissions.ts';
import { jsonSchemaOf } from '../../lib/schema/json-schema.ts';
import type { Scope } from '../../lib/scope.ts';
import { makeToolNames } from '../../lib/tool-names.ts';
import type { Agents } from '../agents/service.ts';
import type { Ask, Asked } from '../delegation/ask.ts';
import type { RunEvent } from '../runs/events.ts';
import type { McpOffers, OfferedResult } from './offers.ts';

const input = z.object({
  message: z.string().min(1).max(1_000_000).describe('What to ask the agent'),
  conversation_id: z.guid().optional().describe('An earlier conversation with this agent, to go on with'),
});
const output = z.object({
  reply: z.string(),
  conversation_id: z.string(),
  run_id: z.string(),
  status: z.enum(['completed', 'failed', 'stopped', 'awaiting_human_feedback']),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
const [input_schema, output_schema] = [jsonSchemaOf(input, 'input'), jsonSchemaOf(output, 'output')];

const refusal = (text: string): OfferedResult => ({ text, structured: {}, is_error: true });

function resultOf({ usage: _, brings: __, ...asked }: Asked): OfferedResult {
  const is_error = asked.status === 'failed' || asked.status === 'stopped';
  const waiting = 'The agent waits for a person; ask again in this conversation when they have answered.';
  const said = asked.status === 'awaiting_human_feedback' ? `${asked.reply}\n${waiting}`.trim() : asked.reply;
  const text = is_error ? (asked.error?.message ?? 'The run was stopped') : said;
  return { text, structured: asked, is_error };
}

/** How far a run is. Names of tools are left out: which of them people may see is the agent's own affair. */
function saying(event: RunEvent): string | undefined {
  if (event.type === 'step-start') return `Step ${event.step}`;
  if (event.type === 'tool-call') return 'Using a tool';
  if (event.type === 'tool-result') return 'A tool has answered';
  return undefined;
}

/** Every agent that a key may run, as a tool. */
export function makeAgentOffers({ agents, ask }: { agents: Pick<Agents, 'list'>; ask: Ask }): McpOffers {
  /** All of them, under names that stay the same as long as no other agent is called so. */
  async function named(scope: Scope) {
    if (!allows(scope.permissions, 'agents_run')) return [];
    const found = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const answer = await agents.list(scope, { page, size: 100, deleted: false, search: undefined });
      found.push(...answer.items.map(({ id, name, description }) => ({ id, title: name, description })));
      pages = answer.pages;
    }
    // Ids rise with time: the first of a name keeps it.
    found.sort((a, b) => (a.id < b.id ? -1 : 1));
    const nameOf = makeToolNames();
    const taken = new Set<string>();
    return found.map((agent) => {
      const plain = nameOf('ask', agent.title);
      const name = taken.has(plain) ? `ask_${agent.id}` : plain;
      taken.add(name);
      return { ...agent, name };
    });
  }

  return {
    list: async (scope) =>
      (await named(scope)).map(({ name, title, description }) => ({
        ...{ name, title, input_schema, output_schema },
        description: (description || `Asks the agent ${title}`).slice(0, 2000),
      })),

    async call(scope, name, given, { signal, progress }) {
      const agent = (await named(scope)).find((one) => one.name === name);
      if (!agent) return undefined;
      const read = input.safeParse(given);
      if (!read.success) return refusal(`The input does not fit: ${z.prettifyError(read.error)}`);
      try {
        const question = { ...read.data, agent_id: agent.id, transport: 'mcp' };
        const run = await ask.begin(scope, question);
        const watch = (event: RunEvent) => {
          const message = saying(event);
          if (message) progress(message);
        };
        return resultOf(await ask.settle(scope, run, signal, watch));
      } catch (error) {
        if (error instanceof InvalidRequest) return refusal(error.faults.map(({ msg }) => msg).join('; '));
        if (error instanceof AppError) return refusal(error.message);
        throw error;
      }
    },
  };
}
