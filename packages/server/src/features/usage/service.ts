import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@atrium/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import type { ModelMessage, ModelTool } from '../../drivers/models/driver.ts';
import { RunFailure } from '../../execution/run-failure.ts';
import type { Scope, TokenAccount } from '../../lib/scope.ts';
import type { Transcript } from '../conversations/ports.ts';
import { estimateMessages, estimateTokens, estimateTools } from '../messages/service.ts';
import { type Charge, chargeAccounts, type Holder, type Refusal } from './account-store.ts';
import type { AccountedRun, CallBudget, LimitSettings, Limits, RunAccounts, SettledProgress } from './ports.ts';

export { insertCallsStatement } from './call-store.ts';
export { runFactsStatement } from './run-fact-store.ts';

/** Reserved when a run begins, so that short runs need no statement of their own for it. */
export const callsAhead = 8;
export const tokensAhead = (max_tokens: number) => max_tokens + 64_000;

export const estimateInput = (messages: readonly ModelMessage[], tools: readonly ModelTool[], system: string) =>
  estimateMessages(messages) + estimateTools(tools) + estimateTokens(system);

interface LimitsOptions {
  /** Every conversation that the calls count for; the run's own is the last. */
  accounts: readonly TokenAccount[];
  /** Undefined when there was room on every account. */
  charge(charge: Charge): Promise<Refusal | undefined>;
  /** The reservation that exists already. */
  ahead?: { tokens: number; calls: number } | undefined;
  /** How much to reserve ahead when that is used; 0: every call reserves its own, as those must that run side by side. */
  slice: number;
  /** Until when to wait for room that other calls have reserved. */
  deadline: number;
  signal: AbortSignal;
}

const lookAgain = () => 20 + Math.random() * 80;

/**
 * Enforces the token limits of conversations and the call limits of runs. Each attempt reserves its input and longest
 * answer in advance and is then settled with its actual usage, so used and reserved tokens never exceed a limit. Only
 * input that the provider counts higher than the estimate can exceed it; later calls are refused.
 */
export function makeLimits(options: LimitsOptions): Limits {
  const { accounts, charge, deadline, signal } = options;
  let { slice } = options;
  let held = options.ahead?.tokens ?? 0;
  let room = held;
  let calls_left = options.ahead?.calls ?? 0;
  /** UsedTokens out of `held` and not charged yet. */
  let unsettled = 0;
  // Grows when a model counts more than we do, so that a low guess is made once.
  let correction = 1;

  /** The charge that gives back everything that is reserved ahead. */
  const givingBack = () => ({ give: held, spent: unsettled, settled: unsettled, calls: -calls_left });
  const holdAhead = (tokens: number, calls: number) => {
    [held, room, calls_left, unsettled] = [tokens, tokens, calls, 0];
  };

  function usedUp({ account, used }: Refusal): RunFailure {
    const most = accounts.find(({ conversation_id }) => conversation_id === account)?.most_tokens;
    const which = account === accounts.at(-1)?.conversation_id ? 'The conversation' : 'The conversation that asked';
    return new RunFailure(
      'usage_limit_reached',
      `${which} has used ${used} of the ${most} tokens that usage_limits_maximum_tokens allows; what is left is too little for another reply`,
    );
  }

  /** Throws when the refusal is about the number of calls. */
  function requireCall({ account, calls_made }: Refusal): void {
    const most = accounts.find(({ conversation_id }) => conversation_id === account)?.most_calls ?? 0;
    if (calls_made - calls_left + 1 > most)
      throw new RunFailure(
        'usage_limit_reached',
        `The run has made the ${most} model calls that usage_limits_maximum_request allows`,
      );
  }

  async function settleAhead(need: number, real: number, logged: boolean): Promise<void> {
    room += need - real;
    if (logged) unsettled += real;
    else if (real > 0) {
      held = Math.max(0, held - real);
      await charge({ give: real, spent: real });
    }
  }

  async function reserve(input: number, wanted: Parameters<CallBudget['reserve']>[0]) {
    let { max_tokens } = wanted;
    for (;;) {
      signal.throwIfAborted();
      const need = input + max_tokens;
      const lowered = max_tokens < wanted.max_tokens;
      const granted = { need, max_tokens, lowered };
      if (calls_left > 0 && room >= need) {
        room -= need;
        calls_left--;
        return { ...granted, ahead: true };
      }
      const ahead = slice >= need ? slice : 0;
      const back = givingBack();
      const calls = (ahead ? callsAhead : 1) + back.calls;
      const refusal = await charge({ ...back, take: ahead || need, calls });
      if (!refusal) {
        holdAhead(ahead, ahead ? callsAhead : 0);
        if (!ahead) return { ...granted, ahead: false };
        continue;
      }
      if (ahead) {
        slice = 0;
        continue;
      }
      requireCall(refusal);
      // Other calls rarely use up their reservation.
      if (refusal.reserved > 0 && Date.now() < deadline) {
        await sleep(lookAgain(), undefined, { signal });
        continue;
      }
      const most = accounts.find(({ conversation_id }) => conversation_id === refusal.account)?.most_tokens ?? 0;
      max_tokens = Math.min(max_tokens - 1, most - refusal.used - refusal.reserved - input);
      if (max_tokens < 1) throw usedUp(refusal);
    }
  }

  return {
    budget(estimated, { logged = false } = {}) {
      const input_tokens = Math.ceil(estimated * correction);
      return {
        input_tokens,
        async reserve(wanted) {
          const { need, ahead, ...grant } = await reserve(Math.ceil(estimated * correction), wanted);
          return {
            ...grant,
            async settle(used, in_log = true) {
              const counted = logged && in_log;
              const real = used.input_tokens + used.output_tokens;
              if (estimated > 0) correction = Math.max(correction, used.input_tokens / estimated);
              if (ahead) await settleAhead(need, real, counted);
              else await charge({ give: need, spent: real, settled: counted ? real : 0 });
            },
          };
        },
      };
    },

    async release() {
      if (held === 0) return;
      const back = givingBack();
      // Tools that run side by side release at the same time.
      holdAhead(0, 0);
      await charge(back);
    },
  };
}

const accountOf = (conversation_id: string, settings: LimitSettings): TokenAccount => ({
  conversation_id,
  most_tokens: settings.usage_limits_maximum_tokens,
  most_calls: settings.usage_limits_maximum_request,
});

const holderOf = ({ id, group_id }: Pick<AccountedRun, 'id' | 'group_id'>): Holder => ({
  kind: 'run',
  workspace_id: group_id,
  id,
});

/** The tokens in a run's log that its accounts were not charged with. */
function unchargedOf({ usage, answered, step, input_tokens }: SettledProgress, usage_settled: number) {
  const settled = Math.max(0, usage.input_tokens + usage.output_tokens - usage_settled);
  // A call that a crash has interrupted is made again; its provider has already received the input once.
  return { settled, spent: settled + (answered || step === 0 ? 0 : input_tokens) };
}

/** Finds the token accounts that a run's model calls are charged to: its own conversation and those that asked for it. */
export function makeRunAccounts({
  db,
  transcript,
}: {
  db: Database;
  transcript: Pick<Transcript, 'read'>;
}): RunAccounts {
  /** Conversations that are deleted by now have no limits. */
  async function askers(scope: Scope, ids: readonly string[]): Promise<TokenAccount[]> {
    const found: TokenAccount[] = [];
    for (const id of ids)
      try {
        found.push(accountOf(id, (await transcript.read(scope, id)).settings));
      } catch (error) {
        if (!(error instanceof AppError && error.kind === 'not_found')) throw error;
      }
    return found;
  }

  return {
    async of(scope, row, settings) {
      const waiting = (scope.accounts ?? []).filter(({ conversation_id }) => conversation_id !== row.id);
      const known = new Set([row.id, ...waiting.map(({ conversation_id }) => conversation_id)]);
      // A caller that continues a co-worker's conversation spends the tokens left to the conversations that asked for it.
      const others = await askers(
        scope,
        (row.charged_to ?? []).filter((id) => !known.has(id)),
      );
      return [...others, ...waiting, accountOf(row.id, settings)];
    },

    async forRun(run, accounts, options) {
      const { settings, progress, fresh, alone, deadline, signal } = options;
      const charge = chargeTo(holderOf(run), accounts);
      // Settle first what the previous node of this run had reserved.
      if (!fresh && run.tokens_held > 0)
        await charge({ give: run.tokens_held, ...unchargedOf(progress, run.usage_settled) });
      const ahead = fresh && run.tokens_held > 0 ? { tokens: run.tokens_held, calls: callsAhead } : undefined;
      const slice = accounts.length === 1 && alone ? tokensAhead(settings.max_tokens) : 0;
      return makeLimits({ accounts, charge, ahead, slice, deadline, signal });
    },

    aside(run, accounts, options) {
      const own = chargeTo(holderOf(run), accounts);
      return makeLimits({ ...options, accounts, slice: 0, charge: (charge) => own({ ...charge, calls: 0 }) });
    },

    forWorkflow(scope, run_id, signal) {
      const { accounts = [], workspace_id } = scope;
      if (accounts.length === 0) return undefined;
      const charge = chargeTo({ kind: 'workflow_run', workspace_id, id: run_id }, accounts);
      return makeLimits({ accounts, charge, slice: 0, deadline: Date.now() + longestWait, signal });
    },

    async recover(run, accounts = []) {
      if (run.tokens_held === 0) return;
      const holder: Holder = { kind: 'workflow_run', workspace_id: run.group_id, id: run.id };
      await chargeTo(holder, accounts)({ give: run.tokens_held });
    },
  };

  function chargeTo(holder: Holder, accounts: readonly TokenAccount[]) {
    return (charge: Parameters<typeof chargeAccounts>[3]) => chargeAccounts(db, holder, accounts, charge);
  }
}

/** The time limit of a node ends its waiting sooner. */
const longestWait = 600_000;
