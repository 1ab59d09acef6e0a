import type { ModelUsage } from '@atrium/contract/models/model-usage.ts';
import type { Purpose } from '@atrium/contract/models/purposes.ts';
import type { ModelInfo } from '@atrium/contract/models/schema.ts';
import type { ModelPart, ModelRequest } from '../../drivers/models/driver.ts';
import type { BudgetReached } from '../../lib/budget-reached.ts';
import type { Actor, Scope } from '../../lib/scope.ts';

/** On whose behalf a model is called. */
export type ModelCaller = Pick<Scope, 'tenant_id' | 'workspace_id' | 'within'> & {
  actor?: Actor;
  /** The person behind the caller, if there is one. */
  person_id?: string;
  /** The end user, for calls outside conversations. */
  user_id?: string;
};

/** The conversation, run and agent that a model is called for. */
export interface ModelCallContext {
  /** Null: about an agent, but in none of its conversations. */
  conversation_id: string | null;
  /** Null: about the conversation, but in none of its runs. */
  run_id: string | null;
  agent_id: string | null;
  version_id: string | null;
}

/**
 * Replaces personal data in requests before they leave the platform. The registry hands out models behind an anonymizer
 * only, so every caller has to say what must not leave.
 */
export interface Anonymizer {
  /** The request with placeholders in place of private values. */
  anonymize(request: ModelRequest): Promise<ModelRequest>;
  /** The answer with the private values back in place of their placeholders. */
  restore(parts: AsyncIterable<ModelPart>): AsyncIterable<ModelPart>;
  /** Calls through this anonymizer are recorded for this conversation. */
  context?: ModelCallContext;
}

declare const anonymized: unique symbol;
/** A request that may leave the platform. Only an anonymizer makes one, and models take nothing else. */
export type AnonymizedRequest = ModelRequest & { readonly [anonymized]: true };

/** Which of several tries of one question a call is. */
export interface CallAttempt {
  /** The id that the first try is recorded by. */
  first_id: string;
  /** Counted from 1. */
  number: number;
}

/** A model behind its anonymizer. Anonymizing is a step of its own, outside the time limit of the call. */
export interface AnonymizedModel {
  /** Fails when private values can't be found, for instance because the tagger is gone. */
  anonymize(request: ModelRequest): Promise<AnonymizedRequest>;
  stream(
    request: AnonymizedRequest,
    signal: AbortSignal,
    purpose: Purpose,
    attempt?: CallAttempt,
  ): AsyncIterable<ModelPart>;
}

/** One call of a model, successful or not. */
export interface ModelCallRecord {
  caller: ModelCaller;
  context: ModelCallContext | undefined;
  purpose: Purpose;
  /** provider/name */
  model: string;
  started_at: number;
  ms: number;
  /** Until the first text or tool call; null when there was none. */
  ttft_ms: number | null;
  status: 'ok' | 'failed' | 'stopped';
  usage: ModelUsage;
  /** The provider reported no usage, as for an answer that was cut off: it is an estimate. */
  estimated: boolean;
  cost: number | null;
  /** As it was sent; undefined where there is nothing to read in it. */
  request: AnonymizedRequest | undefined;
  /** The text that came back, with placeholders for private values. */
  answer?: string;
  /** Why it failed, in the provider's words or ours. */
  error?: string | null;
  /** Undefined: there is one try only. */
  attempt?: CallAttempt | undefined;
}

/** What a call that is about to be made may use. */
export interface CallNeed extends Pick<ModelCallRecord, 'caller' | 'context'> {
  /** No tokenizer makes more of the request. */
  input_tokens: number;
  /** 0: the call writes no tokens. */
  max_tokens: number;
  price: ModelInfo['price'];
}

/** What a call has used. */
export interface UsedByCall {
  tokens: number;
  /** US dollars; null when the model's prices are not known. */
  cost: number | null;
}

/** The room that budgets have granted to a call. */
export interface CallHold {
  max_tokens: number;
  input_tokens: number;
  /** The error for an answer that ends at `max_tokens`; undefined when the budgets granted all that was asked for. */
  cut(): BudgetReached | undefined;
  /** Undefined: the provider has not said what it used, so all of it counts as used. */
  settle(used: UsedByCall | undefined): Promise<void>;
}

/** Stands before and after every model call. */
export interface Meter {
  /** Reserves room for a call on the budgets that apply to it; undefined when none does. */
  reserve(call: CallNeed, signal: AbortSignal): Promise<CallHold | undefined>;
  record(call: ModelCallRecord): void;
}

/** The data to meter the calls of one model with. */
export interface StreamMeter {
  meter: Meter;
  caller: ModelCaller;
  info: Pick<ModelInfo, 'name' | 'price'>;
  /** Estimates the usage of an answer that did not come to its end, from the request and the text so far. */
  guess(request: AnonymizedRequest, text: string): Pick<ModelUsage, 'input_tokens' | 'output_tokens'>;
  /** The most tokens that a request can have. */
  mostInput(request: AnonymizedRequest): number;
}

/** The request of one model call in a run, to be kept for its trace. */
export interface StoredPrompt {
  call_id: string;
  workspace_id: string;
  run_id: string;
  request: AnonymizedRequest;
  /** The text that came back, with placeholders for private values. */
  answer: string;
  /** Why the call failed. */
  error: string | null;
}
