import { AppError } from '@atrium/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import type { Scope, TokenAccount } from '../../lib/scope.ts';
import type { Transcript } from '../conversations/ports.ts';
import { chargeAccounts, type Holder } from './account-store.ts';
import { callsAhead, makeLimits, tokensAhead } from './limits.ts';

export { callsAhead, estimateInput, tokensAhead } from './limits.ts';

import type { AccountedRun, LimitSettings, RunAccounts, SettledProgress } from './ports.ts';

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
