import { hash } from 'node:crypto';
import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Agents } from '../agents/service.ts';
import type { Conversations } from '../conversations/service.ts';
import type { FindReach } from '../reach/ports.ts';
import type { Tool, ToolCall, ToolContext, ToolProvider } from '../tools/ports.ts';
import { defineTool, makeToolNames, ToolError } from '../tools/service.ts';
import { type Colleague, coworkersIn, subagentsIn } from './colleagues.ts';
import type { AgentAnswer, AgentCaller, AgentQuestion } from './service.ts';
import * as store from './store.ts';

const defaultMaxTurns = 10;

interface Needs {
  db: Database;
  agents: Pick<Agents, 'get'>;
  conversations: Pick<Conversations, 'find'>;
  findReach: FindReach;
  /** A function, because it is created after the tools: runs need tools, and these tools need runs. */
  ask(): AgentCaller;
}

interface KnownColleague extends Colleague {
  title: string;
  about: string | null;
  /** The published version. */
  version_id: string | null;
}

const answered = z.object({
  status: z.enum(['completed', 'awaiting_human_feedback']),
  reply: z.string(),
  conversation_id: z.string(),
  run_id: z.string(),
  finish_reason: z.literal('length').optional().describe('The reply ends where its limit of tokens was reached'),
});

/** The tool result for the asking agent. A paused run is no failure: a person has to answer. */
function toolResultOf(
  { status, reply, conversation_id, run_id, error, finish_reason }: AgentAnswer,
  title: string,
): z.input<typeof answered> {
  if (status === 'failed' || status === 'stopped')
    throw new ToolError(`${title} gave no answer: ${error?.message ?? 'its run was stopped'}`);
  const waiting = `${title} waits for a person to decide or to answer in its conversation; ask it again later.`;
  return {
    ...{ status, conversation_id, run_id },
    ...(finish_reason === 'length' && { finish_reason }),
    reply: status === 'completed' ? reply : [reply, waiting].filter(Boolean).join('\n\n'),
  };
}

/** Other agents as tools: co-workers have a conversation with the agent, subagents get a single task. */
export function makeAgentTools({ db, agents, conversations, findReach, ask }: Needs): ToolProvider {
  async function loadColleagues(scope: Scope, list: readonly Colleague[]): Promise<KnownColleague[]> {
    const colleagues: KnownColleague[] = [];
    for (const colleague of list)
      try {
        const { name, description, version_id } = await agents.get(scope, colleague.id);
        const about = colleague.description ?? description;
        colleagues.push({ ...colleague, title: colleague.name ?? name, about, version_id });
      } catch (error) {
        // The agent was deleted; it is skipped.
        if (!(error instanceof AppError && error.kind === 'not_found')) throw error;
      }
    return colleagues;
  }

  /** Asks an agent, or resumes a question that a crash interrupted. The scope charges its usage to the asking conversation. */
  async function delegate(
    scope: Scope,
    { run_id }: ToolContext,
    question: AgentQuestion,
    signal: AbortSignal,
    call: ToolCall,
  ): Promise<AgentAnswer> {
    const { workspace_id } = scope;
    const question_hash = hash(
      'sha256',
      JSON.stringify([question.agent_id, question.conversation_id, question.message]),
    );
    try {
      const before = await store.findUnreportedRun(db, workspace_id, run_id, question_hash);
      const run = before
        ? await ask().find(scope, before.run_id)
        : await ask().begin(scope, { ...question, brings: call.taint, beyond: true });
      if (!before)
        await store.insertDelegatedRun(db, workspace_id, { run_id: run.id, parent_run_id: run_id, question_hash });
      const answer = await ask().settle(scope, run, signal);
      await store.markReported(db, workspace_id, run.id);
      if (answer.usage?.cost) call.cost(answer.usage.cost);
      // The answer depends on what the agent has read and on the question.
      call.brings(...answer.brings, ...call.taint);
      return answer;
    } catch (error) {
      if (error instanceof InvalidRequest) throw new ToolError(error.validationErrors.map(({ msg }) => msg).join('; '));
      if (error instanceof AppError && error.kind !== 'unavailable') throw new ToolError(error.message);
      throw error;
    }
  }

  return async (scope, settings, context) => {
    const { named, itself } = subagentsIn(settings);
    const [coworkers, subagents] = [
      await loadColleagues(scope, coworkersIn(settings)),
      await loadColleagues(scope, named),
    ];
    const own = itself && context.agent_id ? context.agent_id : undefined;
    if (coworkers.length + subagents.length === 0 && own === undefined) return [];
    const above = (await store.findDelegation(db, scope.workspace_id, context.conversation_id))?.agent_ids ?? [];
    const path = context.agent_id && above.at(-1) !== context.agent_id ? [...above, context.agent_id] : above;

    /** Refuses an agent that already waits for this answer. */
    function requireNotWaiting(id: string, title: string): void {
      if (path.includes(id))
        throw new ToolError(`${title} already waits for this answer, by way of others, and can't be asked for it`);
    }
    const prepare = (id: string) => (conversation_id: string) =>
      store.insertDelegation(db, scope.workspace_id, conversation_id, {
        ...{ parent_conversation_id: context.conversation_id, agent_ids: [...path, id] },
      });
    // Guests of a shared link use the agent with its co-workers, as it was set up.
    const permission = scope.actor.kind === 'link' ? {} : { permission: 'agents_run' as const };
    const common = { output: answered, repeatable: true, outlasts: true as const, ...permission };
    const nameOf = makeToolNames();

    const coworkerTool = ({
      id,
      title,
      about,
      written,
      version_id,
      max_turns = defaultMaxTurns,
    }: KnownColleague): Tool =>
      defineTool({
        ...common,
        tool: nameOf('coworker', title),
        entries: [written],
        pinned: version_id,
        reach: () => findReach(scope, [{ kind: 'agent', id }]),
        description: `Asks the co-worker "${title}"${about ? `: ${about.slice(0, 1000)}` : ''}. To go on with an earlier exchange, name its conversation_id.`,
        input: z.object({ message: z.string().min(1).max(100_000), conversation_id: z.guid().optional() }),
        async run(own, { message, conversation_id }, signal, _, call) {
          requireNotWaiting(id, title);
          if (conversation_id !== undefined) {
            const before = await store.findDelegation(db, own.workspace_id, conversation_id);
            if (before?.parent_conversation_id !== context.conversation_id)
              throw new ToolError('There is no such exchange with this co-worker');
            const { message_count } = await conversations.find(own, conversation_id);
            if (Math.ceil(message_count / 2) >= max_turns)
              throw new ToolError(`${title} can be asked ${max_turns} times in one exchange, and has been`);
          }
          const question = { agent_id: id, message, conversation_id, transport: 'agent', prepare: prepare(id) };
          return toolResultOf(await delegate(own, context, question, signal, call), title);
        },
      });

    const tasks = new Map(subagents.map((subagent) => [subagent.title, subagent]));
    // A subagent of itself does not delegate to itself again.
    if (own !== undefined && !above.includes(own))
      tasks.set('itself', {
        id: own,
        title: 'itself',
        about: 'you, with nothing of this conversation in mind',
        name: undefined,
        description: undefined,
        max_turns: undefined,
        version_id: null,
        written: itself ?? {},
      });
    const list = [...tasks.values()].map(({ title, about }) => `"${title}"${about ? `: ${about.slice(0, 500)}` : ''}`);
    const subagentTool = () =>
      defineTool({
        ...common,
        tool: 'subagents_delegate',
        // The call names the subagent; the rules of all of them apply to every call, the deciders are those of the named one.
        entries: [...tasks.values()].map(({ written }) => written),
        called: (input) => [tasks.get((input as { agent: string }).agent)?.written ?? {}],
        pinned: [...tasks.values()].map(({ version_id }) => version_id),
        reach: () =>
          findReach(
            scope,
            [...tasks.values()].map(({ id }) => ({ kind: 'agent', id })),
          ),
        description: `Gives a task to a subagent, which works on it alone, knows nothing of this conversation but the task, and answers once. Subagents:\n${list.join('\n')}`,
        input: z.object({
          agent: z.enum([...tasks.keys()]).describe('Its name'),
          task: z.string().min(1).max(100_000).describe('Everything it has to know'),
        }),
        async run(mine, { agent, task }, signal, _, call) {
          const subagent = tasks.get(agent);
          if (!subagent) throw new ToolError('There is no such subagent');
          const { id, title, max_turns } = subagent;
          if (id !== own) requireNotWaiting(id, title);
          const limits = max_turns === undefined ? {} : { bound: { usage_limits_maximum_request: max_turns } };
          const question = { agent_id: id, message: task, transport: 'agent', prepare: prepare(id), ...limits };
          return toolResultOf(await delegate(mine, context, question, signal, call), title);
        },
      });
    return [...coworkers.map(coworkerTool), ...(tasks.size > 0 ? [subagentTool()] : [])];
  };
}
