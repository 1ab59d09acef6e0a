import type { MessageMetadata, RunError, RunEvent, Usage } from '@atrium/contract/runs/events.ts';
import { noUsage } from '@atrium/contract/runs/events.ts';
import { RunFailure } from '../../execution/run-failure.ts';
import { LeaseLost } from '../../execution/run-queue.ts';
import { errorFields, redactedErrorFields } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import type { LoadedConversation } from '../conversations/ports.ts';
import { defaultTitle } from '../conversations/service.ts';
import type { Reply } from '../messages/ports.ts';
import { estimateTokens, makeReply } from '../messages/service.ts';
import type { makeRunFinisher } from './end/finish-run.ts';
import { HandedOver } from './end/handed-over.ts';
import { type Ending, endingOfStop, guardrailSummary, replacementEvents } from './guardrails/guardrail-outcome.ts';
import { GuardrailStop } from './guardrails/guardrail-stop.ts';
import { makeEventWriter } from './log/event-writer.ts';
import { addUsage, type Progress, progressOf } from './loop/progress.ts';
import type { Alongside, RunLog } from './ports.ts';
import type { RunRow } from './store.ts';

type Finish = ReturnType<typeof makeRunFinisher>;

export interface ExecuteDeps {
  log: RunLog;
  /** Produces the events of the run, up to its end. */
  events(
    scope: Scope,
    run: RunRow,
    signal: AbortSignal,
    progress: Progress,
    held?: LoadedConversation,
  ): AsyncGenerator<RunEvent>;
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
  } else {
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
  const { usage, model, attempts, warnings } = progressOf(seen);
  const failed = error instanceof RunFailure ? error.attempts : [];
  const ms = Date.now() - Date.parse(run.started_at ?? run.created_at);
  const used = cut ? addUsage(usage, cut) : usage;
  const guardrails = guardrailSummary(seen);
  return { run_id: run.id, model, attempts: [...attempts, ...failed], usage: used, ms, warnings, guardrails };
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
  const progress = progressOf(seen);
  const { stored } = progress;
  const writer = makeEventWriter((events) =>
    log.append(run.group_id, run.id, events, deps.alongside(run, events, seen)),
  );
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
    if (error instanceof LeaseLost) throw error;
    const ending = endingOf(error, signal, scope, run);
    const cut =
      ending.type === 'run-end' && ending.status === 'stopped' && step > 0 ? usageOfCut(step, seen, reply) : null;
    const metadata = metadataSoFar(run, seen, error, cut);
    if (ending.type === 'run-end' && ending.status === 'failed') reply.dropUnfinishedText(step);
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

export interface RunExecutionDeps extends ExecuteDeps {
  /** Names the conversation after its first answer. */
  name(scope: Scope, run: RunRow, reply: Reply): Promise<void>;
  /** Called when a run is over on this node. */
  ended?: ((workspace_id: string, run_id: string) => void) | undefined;
}

/** Executes runs to their end or until they wait for people, and does what follows from an end. */
export const makeRunExecution =
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
