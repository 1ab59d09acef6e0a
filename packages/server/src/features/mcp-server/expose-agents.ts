import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { NumberedEvent } from '@atrium/contract/runs/events.ts';
import { jsonSchemaOf } from '@atrium/contract/schema/json-schema.ts';
import { z } from 'zod';
import type { Scope } from '../../lib/scope.ts';
import type { Agents } from '../agents/service.ts';
import type { RunRequests } from '../approvals/ports.ts';
import type { AgentAnswer, AgentCaller } from '../delegation/service.ts';
import type { Files } from '../files/service.ts';
import { makeToolNames } from '../tools/service.ts';
import { filesAsParts } from './files-as-parts.ts';
import { describeHowToGoOn, type HowToGoOn, howToGoOn } from './how-to-go-on.ts';
import type { ExposedToolResult, ExposedTools, Waiting } from './ports.ts';

const input = z.object({
  message: z.string().min(1).max(1_000_000).optional().describe('What to ask the agent; needed unless run_id is given'),
  conversation_id: z.guid().optional().describe('An earlier conversation with this agent, to go on with'),
  run_id: z
    .guid()
    .optional()
    .describe('The run of an earlier call that waited for a person, to read how it went on; without a message'),
});
const output = z.object({
  reply: z.string(),
  conversation_id: z.string(),
  run_id: z.string(),
  status: z.enum(['completed', 'failed', 'stopped', 'awaiting_human_feedback']),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  finish_reason: z.string().nullable().describe('Why the model stopped; `length`: the reply is cut at max_tokens'),
  warnings: z.array(z.string()).describe('Problems that the run did not fail for, such as reply_cut'),
  files: z
    .array(z.object({ id: z.string(), name: z.string(), type: z.string(), size: z.number() }))
    .describe('Files that the agent has made; GET /v1/files/{id} has their content'),
  next: howToGoOn.optional().describe('How to go on, when the agent waits for a person'),
});

type Begun = Awaited<ReturnType<AgentCaller['find']>>;

const refusal = (text: string): ExposedToolResult => ({ text, structured: {}, is_error: true });

function resultOf(
  { usage: _, brings: __, files, ...asked }: AgentAnswer,
  next: HowToGoOn | undefined,
): ExposedToolResult {
  const is_error = asked.status === 'failed' || asked.status === 'stopped';
  const said = next ? `${asked.reply}\n${describeHowToGoOn(next)}`.trim() : asked.reply;
  const text = is_error ? (asked.error?.message ?? 'The run was stopped') : said;
  const named = files.map(({ id, name, type, size }) => ({ id, name, type, size }));
  return { text, structured: { ...asked, files: named, ...(next && { next }) }, is_error };
}

/** The progress of a run as a message. Names of tools are left out: the agent's settings decide who sees them. */
function saying(event: NumberedEvent): string | undefined {
  if (event.type === 'step-start') return `Step ${event.step}`;
  if (event.type === 'tool-call') return 'Using a tool';
  if (event.type === 'tool-result') return 'A tool has answered';
  return undefined;
}

/** Offers every agent that the caller may run as a tool. */
export function exposeAgentsAsTools(deps: {
  agents: Pick<Agents, 'list'>;
  ask: AgentCaller;
  files: Pick<Files, 'read'>;
  requests: Pick<RunRequests, 'list'>;
}): ExposedTools {
  const { agents, ask, files, requests } = deps;

  /** Only what answers a request is said: the agent's settings decide who sees its tools. */
  async function nextOf(scope: Scope, { run_id, conversation_id }: AgentAnswer): Promise<HowToGoOn> {
    const at = `POST /v1/conversations/${conversation_id}`;
    const open = (await requests.list(scope.workspace_id, run_id)).filter(({ status }) => status === 'pending');
    const waits_for = open.map(({ id, kind }) =>
      kind === 'approval'
        ? {
            type: kind,
            id,
            answer_with: `${at}/approvals/${id} {"decision": "approve" or "reject"}`,
            needs: 'agents_run',
          }
        : { type: kind, id, answer_with: `${at}/human {"content": "…"}`, needs: 'conversations_read' },
    );
    const handover = {
      ...{ type: 'handover' as const, id: null, needs: 'conversations_read' },
      answer_with: `${at}/human {"content": "…"}`,
    };
    const afterwards = `Then call this tool again with {"run_id": "${run_id}"} and no message, or read GET /v1/runs/${run_id}.`;
    return { run_id, waits_for: waits_for.length ? waits_for : [handover], afterwards };
  }

  /** All agents with their tool names; a name changes only when another agent gets the same one. */
  async function named(scope: Scope) {
    if (!allows(scope.permissions, 'agents_run')) return [];
    const found = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const answer = await agents.list(scope, { page, size: 100, deleted: false, search: undefined });
      found.push(...answer.items.map(({ id, name, description }) => ({ id, title: name, description })));
      pages = answer.pages;
    }
    // Ids rise with time, so the oldest agent of a name keeps it.
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

  async function settled(scope: Scope, run: Begun, { signal, left, tell }: Waiting): Promise<ExposedToolResult> {
    const watch = (event: NumberedEvent) => {
      const message = saying(event);
      if (message) tell(message, event.seq);
    };
    const asked = await ask.settle(scope, run, signal, watch, left);
    const parts = await filesAsParts(scope, files, asked.files);
    const next = asked.status === 'awaiting_human_feedback' ? await nextOf(scope, asked) : undefined;
    return { ...resultOf(asked, next), parts };
  }

  /** A caller follows its own runs only. */
  async function follow(scope: Scope, run_id: string, waiting: Waiting): Promise<ExposedToolResult | undefined> {
    if (!allows(scope.permissions, 'agents_run')) return undefined;
    const run = await ask.find(scope, run_id).catch((error: unknown) => {
      if (error instanceof AppError && error.kind === 'not_found') return undefined;
      throw error;
    });
    return run?.principal.actor.id === scope.actor.id ? settled(scope, run, waiting) : undefined;
  }

  return {
    async list(scope) {
      const [input_schema, output_schema] = [jsonSchemaOf(input, 'input'), jsonSchemaOf(output, 'output')];
      return (await named(scope)).map(({ name, title, description }) => ({
        ...{ name, title, input_schema, output_schema },
        description: (description || `Asks the agent ${title}`).slice(0, 2000),
      }));
    },

    async call(scope, name, given, { run_id, ...waiting }) {
      const agent = (await named(scope)).find((one) => one.name === name);
      if (!agent) return undefined;
      const read = input.safeParse(given);
      if (!read.success) return refusal(`The input does not fit: ${z.prettifyError(read.error)}`);
      const { message, conversation_id, run_id: earlier } = read.data;
      if ((message === undefined) === (earlier === undefined))
        return refusal('The input does not fit: give either a message or a run_id');
      try {
        if (message === undefined) return (await follow(scope, earlier as string, waiting)) ?? refusal('No such run');
        const question = { message, conversation_id, agent_id: agent.id, transport: 'mcp', run_id };
        return await settled(scope, await ask.begin(scope, question), waiting);
      } catch (error) {
        if (error instanceof InvalidRequest) return refusal(error.validationErrors.map(({ msg }) => msg).join('; '));
        // A server that is shutting down does not end the call: its client resumes it elsewhere.
        if (error instanceof AppError && error.kind !== 'unavailable') return refusal(error.message);
        throw error;
      }
    },

    follow,
  };
}
