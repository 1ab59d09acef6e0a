import type { StreamFormat } from '@atrium/contract/runs/schema.ts';
import type { Frame } from '../../../lib/responses/sse-frame.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { LoadedConversation, Transcript } from '../../conversations/ports.ts';
import { displayFor } from '../../messages/service.ts';
import { LogRewound } from '../log/log-rewound.ts';
import type { ResumePoint, RunLog } from '../ports.ts';
import type { Runs } from '../service.ts';
import type { Begun } from '../start/start-once.ts';
import type { RunRow } from '../store.ts';
import { resetFrames } from './reset-frames.ts';
import { endFrames, pauseFrames, type Seen, seenBy, selectDialect, unseenFrames } from './select-dialect.ts';

export type RunStreams = ReturnType<typeof makeRunStreams>;

const seenOf = (run: RunRow, { after, last_event_id }: ResumePoint): Seen =>
  seenBy(last_event_id, run.id) ?? { seq: after ?? 0, frames: 0 };

/** Whether the run ended after the conversation had this etag. One that is not of our making replays all. */
function endedSince(run: RunRow | undefined, etag: string): boolean {
  const ms = /^(\d+)-\d+$/.exec(etag)?.[1];
  return ms === undefined || Date.parse(run?.finished_at ?? '') > Number(ms);
}

/** Streams runs to clients: reads the log from any event on and converts it to the requested dialect. */
export function makeRunStreams({ log, runs, transcript }: { log: RunLog; runs: Runs; transcript: Transcript }) {
  async function frames(
    scope: Scope,
    run: RunRow,
    kind: 'conversation' | 'run',
    format: StreamFormat,
    seen: Seen,
    held?: LoadedConversation,
  ) {
    const { settings } = held ?? (await transcript.read(scope, run.conversation_id));
    const display = displayFor(scope, settings);
    const from = (position: Seen) => {
      const events = log.follow(scope.workspace_id, run.id, 0, scope.signal);
      return unseenFrames(selectDialect(kind, format, { run, display }), events, position, pauseFrames(kind, format));
    };
    return beginAnewWhenRewound(from, seen, resetFrames(kind, format, run));
  }

  /** The run that a stream was cut off in, when the caller has not seen its end: it may no longer be the last one. */
  async function cutOffIn(scope: Scope, conversation_id: string, last_event_id: string | undefined) {
    const id = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}):/.exec(last_event_id ?? '')?.[1];
    // A run that cannot be read is treated like an unknown Last-Event-ID.
    const run = id && (await runs.find(scope, id).catch(() => undefined));
    if (!run || run.conversation_id !== conversation_id) return undefined;
    const seen = seenBy(last_event_id, run.id);
    return run.finished_at !== null && seen && seen.seq >= run.last_seq ? undefined : run;
  }

  return {
    /** A run that was just begun, or joined. */
    ofConversation: (scope: Scope, { run, held }: Begun, format: StreamFormat) =>
      frames(scope, run, 'conversation', format, { seq: 0, frames: 0 }, held),

    /** The frames after an event of a run. */
    after: (scope: Scope, run: RunRow, format: StreamFormat, seq: number) =>
      frames(scope, run, 'conversation', format, { seq, frames: 0 }),

    /** Streams the active run, or one newer than the caller has seen; without either, the stream ends at once. */
    async joined(
      scope: Scope,
      conversation_id: string,
      format: StreamFormat,
      point: ResumePoint,
    ): Promise<AsyncIterable<Frame>> {
      const { row } = await transcript.read(scope, conversation_id);
      const run =
        (await cutOffIn(scope, conversation_id, point.last_event_id)) ?? (await runs.current(scope, conversation_id));
      const resumes = point.after !== undefined || point.last_event_id !== undefined;
      const isNew = point.etag !== undefined && point.etag !== row.etag && endedSince(run, point.etag);
      if (!run || (run.finished_at !== null && !resumes && !isNew)) return endOnly(format);
      return frames(scope, run, 'conversation', format, seenOf(run, point));
    },

    async ofRun(scope: Scope, run_id: string, format: StreamFormat, point: ResumePoint) {
      const run = await runs.find(scope, run_id);
      const [, ms, seq] = /^(\d+)-(\d{1,10})$/.exec(point.etag ?? '') ?? [];
      // One that this run has not given replays all.
      const known = Number(ms) === Date.parse(run.created_at) ? Number(seq) : 0;
      const seen = point.etag === undefined ? seenOf(run, point) : { seq: known, frames: 0 };
      return frames(scope, run, 'run', format, seen);
    },
  };
}

/**
 * A client that has seen words which were lost with a node gets a reset and all frames from the first event on. Not a
 * generator, which would cost every frame of every stream some turns of the event loop.
 */
function beginAnewWhenRewound(
  from: (position: Seen) => AsyncGenerator<Frame>,
  seen: Seen,
  reset: readonly Frame[],
): AsyncIterableIterator<Frame> {
  let frames = from(seen);
  const queue: Frame[] = [];
  async function next(): Promise<IteratorResult<Frame>> {
    const value = queue.shift();
    if (value) return { value, done: false };
    try {
      return await frames.next();
    } catch (error) {
      if (!(error instanceof LogRewound)) throw error;
      frames = from({ seq: 0, frames: 0 });
      queue.push(...reset);
      return next();
    }
  }
  return {
    next,
    return: () => frames.return(undefined),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* endOnly(format: StreamFormat): AsyncGenerator<Frame> {
  yield* endFrames(format);
}
