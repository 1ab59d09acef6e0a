import type { ModelUsage } from '@atrium/contract/models/model-usage.ts';
import type { Usage } from '@atrium/contract/runs/events.ts';
import type { RunFigures } from '@atrium/contract/runs/run-figures.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Scope, TokenAccount } from '../../lib/scope.ts';

export type { CallRow } from './call-store.ts';
export type { RunFact } from './run-fact-store.ts';

export type FiguresOfRun = RunFigures;

/** Adds to runs of either kind whom they belong to and what they have used. */
export type AddRunFigures = <R extends { id: string }>(
  scope: Scope,
  runs: readonly R[],
) => Promise<(R & FiguresOfRun)[]>;

export type UsedTokens = Pick<ModelUsage, 'input_tokens' | 'output_tokens'>;

/** What one attempt at a call may use. */
export interface Grant {
  max_tokens: number;
  /** The limit, not the request, decides how long the answer may be. */
  lowered: boolean;
  /** Settles the tokens that the attempt used, also when it failed. `logged`: the run's log counts them. */
  settle(used: UsedTokens, logged?: boolean): Promise<void>;
}

/** Room for the attempts at one call. Each attempt counts as a model call of the run. */
export interface CallBudget {
  /** The estimated input tokens. */
  input_tokens: number;
  reserve(wanted: { max_tokens: number }): Promise<Grant>;
}

export interface Limits {
  /** `logged`: the run's log counts what the call uses, so the run's end charges what was not charged before. */
  budget(input_tokens: number, options?: { logged?: boolean }): CallBudget;
  /** Gives back what was reserved ahead: before other runs need the room, and before the run waits for people. */
  release(): Promise<void>;
}

/** An agent run whose model calls are charged. */
export interface AccountedRun {
  id: string;
  group_id: string;
  /** Tokens that are reserved for it. */
  tokens_held: number;
  /** Tokens of its log that are charged already. */
  usage_settled: number;
}

/** How far an agent run has come, as far as its charges are concerned. */
export interface SettledProgress {
  usage: Usage;
  /** Whether the model answer of the newest step is complete. */
  answered: boolean;
  step: number;
  /** The estimated input of the newest step. */
  input_tokens: number;
}

export type LimitSettings = Pick<
  Settings,
  'max_tokens' | 'usage_limits_maximum_request' | 'usage_limits_maximum_tokens'
>;

/** Finds the token accounts that model calls are charged to, and limits the calls by them. */
export interface RunAccounts {
  /** All accounts of a run, its own as the last. */
  of(
    scope: Scope,
    conversation: { id: string; charged_to: string[] | null },
    settings: LimitSettings,
  ): Promise<TokenAccount[]>;
  /** The limits of a run that starts or resumes. */
  forRun(
    run: AccountedRun,
    accounts: readonly TokenAccount[],
    options: {
      settings: LimitSettings;
      progress: SettledProgress;
      /** The reservation of the run is unused. */
      fresh: boolean;
      /** No other conversation asked for this one. */
      alone: boolean;
      deadline: number;
      signal: AbortSignal;
    },
  ): Promise<Limits>;
  /** The limits of calls beside or after a run, such as the one for a title. They do not count as calls of the run. */
  aside(
    run: AccountedRun,
    accounts: readonly TokenAccount[],
    options: { deadline: number; signal: AbortSignal },
  ): Limits;
  /** The limits of a workflow run that conversations wait for; undefined when none does. */
  forWorkflow(scope: Scope, run_id: string, signal: AbortSignal): Limits | undefined;
  /** Gives back the reservation of a workflow run whose node died. */
  recover(
    run: { id: string; group_id: string; tokens_held: number },
    accounts?: readonly TokenAccount[],
  ): Promise<void>;
}
