import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelUsage } from '@atrium/contract/models/model-usage.ts';
import type { Attempt } from '@atrium/contract/runs/events.ts';
import { ModelError, type ModelPart } from '../../../drivers/models/driver.ts';
import { RunFailure } from '../../../execution/run-failure.ts';
import { BudgetReached } from '../../../lib/budget-reached.ts';
import { newId } from '../../../lib/ids.ts';
import { isDatabaseOutage } from '../../../lib/outages/database-outages.ts';
import { estimateTokens } from '../../messages/service.ts';
import type { AnonymizedRequest } from '../../model-calls/ports.ts';
import type { CallBudget, Grant } from '../../usage/ports.ts';
import type { CallEvent, CallResult, Candidate } from '../ports.ts';
import { refusedContext } from './refused-context.ts';

/** When a failed call is tried again, and when it is over. */
export interface Patience {
  timeout_ms: number;
  retries: number;
  retry_on: readonly number[];
  /** One moment for all attempts together. */
  deadline: number;
}

/** Network failures and the listed answers are worth another try; a refusal of the request itself is not. */
const isRetryable = (error: ModelError, retry_on: readonly number[]) =>
  error.status === undefined || retry_on.includes(error.status);

/** Doubling from half a second, with jitter so that many runs do not retry at once. */
const backOff = (attempt: number) => Math.min(20_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2);

function asModelError(error: unknown, late: boolean, timeout_ms: number): ModelError {
  if (late) return new ModelError(`No answer within ${timeout_ms / 1000} s`, { cause: error });
  return error instanceof ModelError ? error : new ModelError('The connection broke off', { cause: error });
}

/** A call's own signal: it ends with the run, or when its time is up. */
function limited(signal: AbortSignal, timeout_ms: number) {
  const call = new AbortController();
  let late = false;
  const timer = setTimeout(
    () => {
      late = true;
      call.abort(new ModelError(`No answer within ${timeout_ms / 1000} s`));
    },
    Math.min(timeout_ms, 2 ** 31 - 1),
  ).unref();
  // Also when the consumer has left in the middle: the end of the run ends the wait.
  const stop = () => {
    clearTimeout(timer);
    call.abort(signal.reason);
  };
  signal.addEventListener('abort', stop, { once: true });
  // The run may have ended while the consumer handled the attempt.
  if (signal.aborted) stop();
  return {
    signal: call.signal,
    isLate: () => late,
    close() {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
}

/** Reserves room for an attempt, and settles it once with what the attempt used. */
async function openAccount(
  budget: CallBudget | undefined,
  hidden: AnonymizedRequest,
  attempts: readonly Attempt[],
  signal: AbortSignal,
) {
  let grant: Grant | undefined;
  try {
    grant = await budget?.reserve({ max_tokens: hidden.max_tokens });
  } catch (error) {
    throw error instanceof RunFailure ? new RunFailure(error.code, error.message, attempts) : error;
  }
  let settled = false;
  let begun = false;
  let heard = '';
  let usage: ModelUsage | undefined;
  /**
   * Estimates the usage of an unfinished answer, which no provider reports; a request that was refused at once used
   * nothing.
   */
  const guess = (cut: boolean) => ({
    input_tokens: begun && (heard !== '' || cut) ? (budget?.input_tokens ?? 0) : 0,
    output_tokens: estimateTokens(heard),
  });
  return {
    request: grant ? { ...hidden, max_tokens: grant.max_tokens } : hidden,
    lowered: grant?.lowered ?? false,
    begin: () => {
      begun = true;
    },
    hear(part: ModelPart): void {
      if (part.type === 'finish') usage = part.usage;
      else if (part.type === 'tool-call') heard += JSON.stringify(part.input) ?? '';
      else if (part.type !== 'warning') heard += part.text;
    },
    async settle(cut: boolean): Promise<void> {
      if (settled) return;
      settled = true;
      // A failed attempt is in no log; one that was stopped ends its run, which then counts it.
      await grant?.settle(usage ?? guess(cut), usage !== undefined || signal.aborted);
    },
  };
}

/**
 * Handles all provider failures: a time limit for each call, retries, fallback addresses and models, one deadline
 * overall. It does not retract the output of a failed attempt; the `attempt-start` of the next attempt does.
 */
export async function* callModel(
  candidates: readonly Candidate[],
  patience: Patience,
  signal: AbortSignal,
  budget?: CallBudget,
): AsyncGenerator<CallEvent, CallResult> {
  const attempts: Attempt[] = [];
  const first_id = newId();
  let said = false;
  let refused: ReturnType<typeof refusedContext>;

  for (const { name, address, model, request, purpose, warnings = [] } of candidates) {
    const hidden = await model.anonymize(request).catch((cause) => {
      throw isDatabaseOutage(cause) ? cause : notHidden(attempts, cause);
    });
    for (let tries = 0; tries <= patience.retries; tries++) {
      signal.throwIfAborted();
      if (Date.now() >= patience.deadline) throw timeIsUp(attempts);
      const account = await openAccount(budget, hidden, attempts, signal);
      const left = patience.deadline - Date.now();
      const started = Date.now();
      const timeout_ms = Math.min(patience.timeout_ms, left);
      const call = limited(signal, timeout_ms);
      const record = (reason: string | null) =>
        attempts.push({
          model: name,
          address,
          ms: Date.now() - started,
          status: reason === null ? 'ok' : 'failed',
          reason,
        });
      try {
        yield { type: 'attempt', attempt: attempts.length + 1, model: name, discard: said };
        said = false;
        for (const warning of warnings) yield { type: 'warning', ...warning };
        account.begin();
        for await (const part of model.stream(account.request, call.signal, purpose, {
          ...{ first_id, number: attempts.length + 1 },
        })) {
          account.hear(part);
          if (part.type === 'finish') {
            record(null);
            const { lowered } = account;
            const { reason: finish_reason, usage, found_nothing } = part;
            return { model: name, attempts, finish_reason, usage, lowered, ...(found_nothing && { found_nothing }) };
          }
          if (part.type !== 'warning') said = true;
          yield part;
        }
        throw new ModelError('The answer broke off before its end');
      } catch (caught) {
        // Budgets are kept in the database: while it is away, no model has failed, and the run goes on when it is back.
        if (signal.aborted || isDatabaseOutage(caught)) throw caught;
        if (caught instanceof BudgetReached) throw new RunFailure(caught.code, caught.message, attempts);
        const error = asModelError(caught, call.isLate(), timeout_ms);
        record(error.message);
        // The deadline ended the call, not the model.
        if (call.isLate() && timeout_ms === left) throw timeIsUp(attempts);
        refused = refusedContext(error) ?? refused;
        if (!isRetryable(error, patience.retry_on)) break;
        // Other calls need not wait for the room of one that only waits to be tried again.
        await account.settle(call.signal.aborted);
        if (tries < patience.retries) {
          const pause = error.retry_after_ms ?? backOff(tries);
          // Do not wait past the deadline: the next model may still answer in time.
          if (Date.now() + pause >= patience.deadline) break;
          await sleep(pause, undefined, { signal });
        }
      } finally {
        await account.settle(call.signal.aborted);
        call.close();
      }
    }
  }
  throw refused ? new ContextRefused(refused.window, attempts) : allFailed(attempts);
}

/** No model answered, and one of them found the messages too long. */
export class ContextRefused extends RunFailure {
  /** The tokens that it takes, where it said so. */
  readonly window: number | null;

  constructor(window: number | null, attempts: Attempt[]) {
    const last = attempts.at(-1);
    const advice = 'start a new conversation, or send less at once';
    super('context_too_long', `The messages are too long for ${last?.model}; ${advice}. ${last?.reason}`, attempts);
    this.window = window;
  }
}

const timeIsUp = (attempts: Attempt[]) =>
  new RunFailure('run_timeout', 'The run took longer than usage_limits_agent_timeout allows', attempts);

const notHidden = (attempts: Attempt[], cause: unknown) =>
  new RunFailure('anonymization_failed', 'Private data could not be hidden, so no model was asked', attempts, cause);

function allFailed(attempts: Attempt[]): RunFailure {
  const last = attempts.at(-1);
  const tried = `${attempts.length} attempt${attempts.length === 1 ? '' : 's'}`;
  return new RunFailure('model_failed', `No model answered after ${tried}. ${last?.model}: ${last?.reason}`, attempts);
}
