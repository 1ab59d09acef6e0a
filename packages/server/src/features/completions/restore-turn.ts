import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@atrium/contract/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Conversations } from '../conversations/service.ts';
import type { ClientTerms, MessagePart } from '../messages/ports.ts';
import { makeReply } from '../messages/service.ts';
import type { RunLog } from '../runs/ports.ts';
import type { Runs } from '../runs/service.ts';
import { readCallId } from './call-ids.ts';
import type { OutputOptions } from './completion-output.ts';
import { formatCompletion } from './format-completion.ts';
import { type AssistantTurn, readArguments } from './read-messages.ts';

type Call = Extract<MessagePart, { type: 'function' }>;

/** Older turns of a request are taken as the client sent them. */
export const maxRestoredTurns = 50;

const callsOf = (parts: readonly MessagePart[]) => parts.filter((part): part is Call => part.type === 'function');
const textOf = (parts: readonly MessagePart[]) =>
  parts.map((part) => (part.type === 'text' && !part.advice ? part.content : '')).join('');

export const outputOptionsOf = (run_id: string, { tools = [], json }: ClientTerms): OutputOptions => ({
  run_id,
  client_tools: new Set(tools.map(({ name }) => name)),
  json: json !== undefined,
});

/**
 * Restores the agent's own calls and results before it called a tool of the client: the client never saw them
 * and so can't send them. Without them the model would make those calls once more with each round.
 */
export function makeRestoreTurn({
  runs,
  log,
  conversations,
}: {
  runs: Pick<Runs, 'find'>;
  log: Pick<RunLog, 'all'>;
  conversations: Pick<Conversations, 'find'>;
}) {
  /** The run that made these calls; undefined unless the same caller asked the same agent. */
  async function findRun(scope: Scope, agent_id: string, id: string) {
    try {
      const run = await runs.find(scope, id);
      if (run.status !== 'completed' || run.principal.actor.id !== scope.actor.id) return undefined;
      return (await conversations.find(scope, run.conversation_id)).assistant_id === agent_id ? run : undefined;
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not_found') return undefined;
      throw error;
    }
  }

  /** The turn as the agent's run has it. A turn that the client has changed, or of an unknown run, stays as it is. */
  return async function restoreTurn(scope: Scope, agent_id: string, turn: AssistantTurn): Promise<AssistantTurn> {
    const calls = callsOf(turn.parts);
    const [run_id] = calls.map(({ tool_call_id }) => readCallId(tool_call_id));
    const run = run_id && (await findRun(scope, agent_id, run_id));
    if (!run) return turn;
    const events = await log.all(scope.workspace_id, run.id);
    const options = outputOptionsOf(run.id, run.input.client ?? {});
    const { message } = formatCompletion({ id: run.id, created: 0, model: '' }, events, options).choices[0] ?? {};
    const sentCalls = message?.tool_calls?.map(({ id, function: { name, arguments: text } }) => [
      id,
      name,
      readArguments(text),
    ]);
    const received = calls.map((call) => [call.tool_call_id, call.name, call.arguments]);
    if (!isDeepStrictEqual(sentCalls, received) || (message?.content ?? '') !== textOf(turn.parts)) return turn;

    const reply = makeReply();
    for (const event of events) reply.add(event);
    const results = [...calls];
    const parts = reply.parts.flatMap((part): MessagePart[] => {
      if (part.type === 'text') return [part];
      if (part.type !== 'function') return [];
      // The client's calls are those of the last step, in the order in which the client got them.
      if (part.step === lastStep(reply.parts) && options.client_tools?.has(part.name))
        return [{ ...part, content: results.shift()?.content ?? '' }];
      return [{ ...part, brings: part.brings ?? [] }];
    });
    return { role: 'assistant', parts };
  };
}

const lastStep = (parts: readonly MessagePart[]) => Math.max(...callsOf(parts).map(({ step }) => step));
