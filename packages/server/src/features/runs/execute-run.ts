import {
  type MessageMetadata,
  noUsage,
  type RunError,
  type RunEvent,
  type Usage,
} from '@atrium/contract/runs/events.ts';
import { RunFailure } from '../../execution/run-failure.ts';
import { LeaseLost } from '../../execution/run-queue.ts';
import { BudgetReached } from '../../lib/budget-reached.ts';
import { errorFields, redactedErrorFields } from '../../lib/log.ts';
import { isDatabaseOutage } from '../../lib/outages/database-outages.ts';
import type { Scope } from '../../lib/scope.ts';
import type { RunRequests } from '../approvals/ports.ts';
import type { LoadedConversation, Transcript } from '../conversations/ports.ts';
import { defaultTitle } from '../conversations/service.ts';
import type { Reply } from '../messages/ports.ts';
import { estimateTokens, makeReply } from '../messages/service.ts';
import type { RunFact } from '../usage/ports.ts';
import { HandedOver } from './end/handed-over.ts';
import { type Ending, endingOfStop, guardrailSummary, replacementEvents } from './guardrails/guardrail-outcome.ts';
import { GuardrailStop } from './guardrails/guardrail-stop.ts';
import { makeEventWriter } from './log/event-writer.ts';
import type { RunEnding } from './log/run-end-store.ts';
import { addUsage, progressFromEvents } from './loop/progress.ts';
import { taintOfEvents } from './loop/taint.ts';
import type { Alongside, ProduceEvents, RunLog } from './ports.ts';
import { isStopRequested, type RunRow } from './store.ts';

type Finish = ReturnType<typeof makeRunFinisher>;

export interface ExecuteDeps {
  log: RunLog;
  events: ProduceEvents;
  /** Further changes to store with these events, in their transaction. */
  alongside(run: RunRow, events: readonly RunEvent[], seen: readonly RunEvent[]): Alongside | undefined;
  /** Stores the reply, the end of the run and its last events, those not yet written, in one transaction. */
  finish: Finish['finish'];
  pause: Finish['pause'];
}

/** A stop was requested, and this node has not been notified yet. */
class StopRequested extends Error {}

/** The last event of a run that was not completed. */
function endingOf(error: unknown, signal: AbortSignal, scope: Scope, run: RunRow): Ending {
  if (error instanceof HandedOver && !signal.aborted) return { type: 'run-pause' };
  if (signal.aborted || error instanceof StopRequested) return { type: 'run-end', status: 'stopped', error: null };
  if (error instanceof GuardrailStop) return endingOfStop(error);
  let said: RunError;
  if (error instanceof RunFailure) {
    said = { code: error.code, message: error.message };
    // The message of the cause could quote the conversation.
    if (error.cause instanceof Error)
      scope.log.error('A run failed', { run_id: run.id, ...said, cause: error.cause.name });
  } else if (error instanceof BudgetReached) said = { code: error.code, message: error.message };
  else {
    scope.log.error('A run failed', { run_id: run.id, ...redactedErrorFields(error) });
    said = { code: 'internal_error', message: 'Something went wrong on our side' };
  }
  return { type: 'run-end', status: 'failed', error: said };
}

/** Estimates the usage of a step that was cut off: providers report none for an unfinished answer. */
function usageOfCut(step: number, seen: readonly RunEvent[], reply: Reply): Usage {
  const begun = seen.findLast((event) => event.type === 'step-start' && event.step === step);
  const said = reply.parts.filter((part) => 'step' in part && part.step === step && part.role === 'assistant');
  const output_tokens = said.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const input_tokens = begun?.type === 'step-start' ? (begun.input_tokens ?? 0) : 0;
  return { ...noUsage, input_tokens, output_tokens, cost: null };
}

/** The metadata of a reply that is not complete. */
function metadataSoFar(run: RunRow, seen: readonly RunEvent[], error: unknown, cut: Usage | null): MessageMetadata {
  const { usage, model, attempts, warnings, finish_reason } = progressFromEvents(seen);
  const failed = error instanceof RunFailure ? error.attempts : [];
  const ms = Date.now() - Date.parse(run.started_at ?? run.created_at);
  const used = cut ? addUsage(usage, cut) : usage;
  const guardrails = guardrailSummary(seen);
  return {
    run_id: run.id,
    model,
    attempts: [...attempts, ...failed],
    usage: used,
    ms,
    warnings,
    finish_reason,
    guardrails,
  };
}

/**
 * Executes a run from its first event, or from where another node left it. It always ends with `run-end` and a stored
 * message, or waits for people with `run-pause`; the node that receives their answer continues it.
 */
export async function executeRun(
  deps: ExecuteDeps,
  scope: Scope,
  run: RunRow,
  signal: AbortSignal,
  held?: LoadedConversation,
): Promise<Reply | undefined> {
  const { log } = deps;
  const reply = makeReply();
  const seen: RunEvent[] = run.last_seq > 0 ? await log.all(run.group_id, run.id) : [];
  for (const event of seen) reply.add(event);
  const progress = progressFromEvents(seen);
  const { stored } = progress;
  const writer = makeEventWriter({
    show: (events) => log.show(run.group_id, run.id, events),
    store: (events) => log.append(run.group_id, run.id, events, deps.alongside(run, events, seen)),
  });
  let step = progress.answered ? 0 : progress.step;
  const last: RunEvent[] = [];
  try {
    for await (const told of deps.events(scope, run, signal, progress, held)) {
      const event =
        told.type === 'message-end'
          ? { ...told, metadata: { ...told.metadata, guardrails: guardrailSummary(seen) } }
          : told;
      if (event.type === 'run-pause') {
        await writer.flush();
        const metadata = metadataSoFar(run, seen, undefined, null);
        const outcome = await deps.pause(scope, run, { reply, stored, metadata });
        if (outcome === 'paused') return undefined;
        if (outcome === 'stopped') throw new StopRequested();
        // All requests were answered in the meantime: the run continues as if the answers came a moment later.
        return executeRun(deps, scope, { ...run, last_seq: seen.length }, signal);
      }
      reply.add(event);
      if (event.type === 'step-start') step = event.step;
      // A reply that hit the length limit is complete only if the run continues after it.
      if (event.type === 'step-end' && event.finish_reason !== 'length') step = 0;
      if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') seen.push(event);
      // The end is written together with the message it ends.
      if (event.type === 'message-end' || event.type === 'run-end' || event.type === 'footer') last.push(event);
      else {
        const stored = writer.write(event);
        if (stored) await stored;
      }
    }
  } catch (error) {
    // While the database is away nothing can be stored; the run goes on from its log when it is back.
    if (error instanceof LeaseLost || isDatabaseOutage(error)) {
      writer.abandon();
      throw error;
    }
    const ending = endingOf(error, signal, scope, run);
    const cut =
      ending.type === 'run-end' && ending.status === 'stopped' && step > 0 ? usageOfCut(step, seen, reply) : null;
    const metadata = metadataSoFar(run, seen, error, cut);
    if (error instanceof HandedOver && ending.type === 'run-pause')
      last.splice(0, last.length, { type: 'handover', note: '' }, ending);
    else {
      const instead = error instanceof GuardrailStop && !signal.aborted ? replacementEvents(error, seen) : [];
      last.splice(0, last.length, ...instead, { type: 'message-end', message_id: run.message_id, metadata }, ending);
    }
    for (const event of last) reply.add(event);
  }
  await deps.finish(scope, run, { reply, stored, seen }, [...(await writer.rest()), ...last]);
  return reply;
}

/** All requests were answered, or the run was stopped, before it could pause: nothing was stored. */
class NoNeedToWait extends Error {
  readonly why: 'answered' | 'stopped';
  constructor(why: 'answered' | 'stopped') {
    super(why);
    this.why = why;
  }
}

interface Written {
  reply: Pick<Reply, 'parts' | 'metadata' | 'foundNothing'>;
  /** The message is in the conversation already. */
  stored: boolean;
  seen: readonly RunEvent[];
}

/** The reply, the run's end and its last events are there together or not at all: they are one statement. */
export function makeRunFinisher(options: {
  log: RunLog;
  transcript: Transcript;
  requests: Pick<RunRequests, 'hasPending'>;
  alongside(run: RunRow, events: readonly RunEvent[], seen: readonly RunEvent[]): Alongside | undefined;
  /** Its figures, which are stored with its end. */
  fact(run: RunRow, reply: Written['reply'], status: string): RunFact;
}) {
  const { log, transcript } = options;

  const messageOf = (run: RunRow, { parts, metadata }: Pick<Reply, 'parts' | 'metadata'>) => ({
    id: run.message_id,
    role: 'assistant' as const,
    parts: JSON.stringify(parts),
    metadata: JSON.stringify(metadata),
    run_id: run.id,
  });

  return {
    async finish(_: Scope, run: RunRow, { reply, stored, seen }: Written, last: RunEvent[]): Promise<void> {
      const end = last.find((event) => event.type === 'run-end' || event.type === 'run-pause');
      if (!end) throw new Error('A run must say how it ended');
      // One that is handed over to a person is not over, but its reply is.
      const over = end.type === 'run-end' ? end : { status: 'awaiting_human_feedback' as const, error: null };
      const finished_at = end.type === 'run-end' ? new Date().toISOString() : null;
      const { metadata } = reply;
      const tokens = metadata ? metadata.usage.input_tokens + metadata.usage.output_tokens : 0;
      // Without metadata a person answered from the beginning, and there is no agent reply to store. The taint of the
      // run applies to later runs; none can start while it waits for people.
      const message = metadata ? { ...messageOf(run, reply), brought: taintOfEvents(seen) } : null;
      const where = { run_id: run.id, status: over.status, tokens, stored };
      const isUsual = over.status === 'completed' && !stored && message?.brought.length === 0;
      const { id: run_id, group_id: workspace_id, conversation_id } = run;
      const ending: RunEnding = {
        ...{ run, status: over.status, error: over.error, finished_at },
        usual: isUsual ? { workspace_id, conversation_id, run_id, message, tokens } : undefined,
        reply: transcript.replyStatement(run.group_id, run.conversation_id, message, where),
        fact: options.fact(run, reply, over.status),
      };
      await log.append(run.group_id, run.id, last, options.alongside(run, last, seen), ending);
    },

    /**
     * Suspends a run that waits for people and stores its output so far. Checks for answers again under the lock of the
     * conversation, which every answer takes: a run must not wait for an answer that has just arrived.
     */
    async pause(_: Scope, run: RunRow, written: Omit<Written, 'seen'> & { metadata: MessageMetadata }) {
      const { group_id, id, conversation_id } = run;
      const message = messageOf(run, { parts: written.reply.parts, metadata: written.metadata });
      // The usage was charged when the run gave back its reservation.
      const where = {
        ...{ run_id: id, status: 'awaiting_human_feedback' as const, tokens: null, stored: written.stored },
      };
      const reply = transcript.replyStatement(group_id, conversation_id, message, where);
      const ending: RunEnding = { run, status: where.status, error: null, finished_at: null, reply, fact: null };
      const check: Alongside = async (tx) => {
        if (await isStopRequested(tx, group_id, id)) throw new NoNeedToWait('stopped');
        if (!(await options.requests.hasPending(tx, group_id, id))) throw new NoNeedToWait('answered');
      };
      try {
        await log.append(group_id, id, [{ type: 'run-pause' }], check, ending);
        return 'paused' as const;
      } catch (error) {
        if (error instanceof NoNeedToWait) return error.why;
        throw error;
      }
    },
  };
}

export interface RunExecutionDeps extends ExecuteDeps {
  /** Names the conversation after its first answer. */
  name(scope: Scope, run: RunRow, reply: Reply): Promise<void>;
  /** Called when a run is over on this node. */
  ended?: ((workspace_id: string, run_id: string) => void) | undefined;
}

/** Executes runs to their end or until they wait for people, and does what follows from an end. */
export const makeAgentRunExecution =
  ({ name, ended, ...deps }: RunExecutionDeps) =>
  async (scope: Scope, run: RunRow, signal: AbortSignal, loaded?: LoadedConversation): Promise<void> => {
    const reply = await executeRun(deps, scope, run, signal, loaded);
    // A run that waits for people is not over; its conversation is named at its end.
    if (!reply?.metadata) return;
    ended?.(run.group_id, run.id);
    if (loaded && loaded.row.name !== null && loaded.row.name !== defaultTitle()) return;
    // The answer is stored already; a missing name is no reason to fail the run.
    await name(scope, run, reply).catch((error) => scope.log.warn('A conversation got no name', errorFields(error)));
  };
