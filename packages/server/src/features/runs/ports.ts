import type { FinishReason, ModelUsage } from '@atrium/contract/models/model-usage.ts';
import type { Purpose } from '@atrium/contract/models/purposes.ts';
import type { Paged } from '@atrium/contract/page.ts';
import type { Attempt, NumberedEvent, RunEvent } from '@atrium/contract/runs/events.ts';
import type { RunListQuery, RunRetry, StreamFormat } from '@atrium/contract/runs/schema.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Db } from '../../db/database.ts';
import type { ModelPart, ModelRequest, ModelWarning } from '../../drivers/models/driver.ts';
import type { RawAnswer } from '../../lib/responses/raw-answer.ts';
import type { Scope } from '../../lib/scope.ts';
import type { LoadedConversation } from '../conversations/ports.ts';
import type { AnonymizedModel } from '../model-calls/ports.ts';
import type { RunEnding } from './log/run-end-store.ts';
import type { Progress } from './loop/progress.ts';
import type { RunRow } from './store.ts';

/** A turn that a flow answers in place of the agent loop. */
export interface FlowTurn {
  flow_id: string;
  run_id: string;
  message_id: string;
  conversation_id: string;
  /** The message of the user. */
  message: string;
  history: { role: 'user' | 'assistant'; text: string }[];
  /** The taint of the conversation before this turn. */
  brings: readonly Taint[];
  /** Adds taint to the conversation, for the turns after this one. */
  note(brought: readonly Taint[]): Promise<unknown>;
  /** The types of tools that it may call; none: any. */
  tool_types: readonly string[];
  progress: Progress;
  deadline: number;
  signal: AbortSignal;
}

/** Answers a turn in place of the agent loop. */
export type FlowDriver = (scope: Scope, turn: FlowTurn) => AsyncGenerator<RunEvent>;

/** A model that may answer, at one of its addresses. */
export interface Candidate {
  /** As messages name it: provider/name. */
  name: string;
  address: number;
  model: AnonymizedModel;
  /** The request in this model's terms. */
  request: ModelRequest;
  purpose: Purpose;
  /** How the request differs from what was asked for. */
  warnings?: readonly ModelWarning[];
}

export type CallEvent =
  | { type: 'attempt'; attempt: number; model: string; discard: boolean }
  | Exclude<ModelPart, { type: 'finish' }>;

export interface CallResult {
  model: string;
  attempts: Attempt[];
  finish_reason: FinishReason;
  usage: ModelUsage;
  /** A limit of the conversation made the answer shorter than requested. */
  lowered: boolean;
  /** The model says that nothing answers the question. */
  found_nothing?: true;
}

/** Where a client resumes a stream: after its Last-Event-ID, after an event number, or from an etag. */
export interface ResumePoint {
  etag?: string | undefined;
  after?: number | undefined;
  last_event_id?: string | undefined;
}

/** The operations on runs of one kind, or of both kinds; lists show items. */
export interface RunEndpoints<R, I = R> {
  list(scope: Scope, query: RunListQuery): Promise<Paged<I>>;
  get(scope: Scope, run_id: string): Promise<I>;
  events(scope: Scope, run_id: string, format: StreamFormat, point: ResumePoint): Promise<RawAnswer>;
  stop(scope: Scope, run_id: string): Promise<R>;
  retry(scope: Scope, run_id: string, body: RunRetry): Promise<R>;
}

/** Produces the events of a run, up to its end. `held` is the conversation as the starter of the run has read it. */
export type ProduceEvents = (
  scope: Scope,
  run: RunRow,
  signal: AbortSignal,
  progress: Progress,
  held?: LoadedConversation,
) => AsyncGenerator<RunEvent>;

/** A change that is stored together with events, or not at all. */
export type Alongside = (tx: Db) => Promise<void>;

/** An event with the time at which it was stored. */
export type TimedEvent = RunEvent & { at: string };

/** The append-only list of events of each agent run. */
export interface RunLog {
  /** This node executes the run from now on. */
  open(run_id: string, last_seq: number): void;
  close(run_id: string): void;
  /** Whether this node has stored the end of the run, or is storing it. */
  isEnding(run_id: string): boolean;
  /** Another writer has changed this run: its followers look again. */
  tell(run_id: string): void;
  /** Stores what this node has shown and not stored yet. */
  settle(): Promise<void>;
  /** Ends all streams of this node; their clients can resume on another node. */
  leave(): void;
  /** Shows events to the followers on this node; they are stored by the next `append`. */
  show(workspace_id: string, run_id: string, events: readonly RunEvent[]): void;
  /** Stores the events that were shown and then these, the last ones together with the end of the run, and publishes them. */
  append(
    workspace_id: string,
    run_id: string,
    events: readonly RunEvent[],
    alongside?: Alongside,
    end?: RunEnding,
  ): Promise<void>;
  /** All events so far. */
  all(workspace_id: string, run_id: string): Promise<NumberedEvent[]>;
  /** All events so far of these types, with the time at which each was stored. */
  timed(
    workspace_id: string,
    run_id: string,
    types: readonly RunEvent['type'][],
    /** Called for each event as it is read, to let go of what is not needed. */
    lighten?: (event: TimedEvent) => TimedEvent,
  ): Promise<TimedEvent[]>;
  /**
   * All events after `seq`, then new ones, until the run ends or waits for people, or the signal aborts. Throws
   * LogRewound when an event that it has answered was lost with the node that executed the run; with `ignore-lost`, for
   * callers that do not need the words, it goes on.
   */
  follow(
    workspace_id: string,
    run_id: string,
    seq: number,
    signal: AbortSignal,
    lost?: 'ignore-lost',
  ): AsyncGenerator<NumberedEvent>;
}
