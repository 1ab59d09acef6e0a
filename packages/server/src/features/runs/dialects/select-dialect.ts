import type { NumberedEvent } from '@atrium/contract/runs/events.ts';
import type { Frame } from '../../../lib/responses/sse-frame.ts';
import type { Display } from '../../messages/ports.ts';
import { LogRewound } from '../log/log-rewound.ts';
import { jsonEnd, makeJsonDialect } from './json-dialect.ts';
import { makePlainDialect, plainEnd } from './plain-dialect.ts';
import { makeRunDialect } from './run-dialect.ts';
import { type Dialect, makeUiDialect, makeVercelDialect, uiEnd } from './ui-dialect.ts';

type Format = 'ui' | 'vercel' | 'json' | undefined;

const makers = { ui: makeUiDialect, vercel: makeVercelDialect, json: makeJsonDialect };

interface Watched {
  run: { id: string; created_at: string };
  /** What the client may see. */
  display: Display;
}

/** Selects the dialect of a stream by its kind and the requested `format`. */
export function selectDialect(kind: 'conversation' | 'run', format: Format, watched: Watched): Dialect {
  const { run, display } = watched;
  const make = format ? makers[format] : kind === 'run' ? makeRunDialect : makePlainDialect;
  return make({
    display,
    run_id: run.id,
    created_ms: Date.parse(run.created_at),
  });
}

/** The frames of a conversation stream without any events. */
export function endFrames(format: Format): Frame[] {
  if (format === undefined) return plainEnd;
  return format === 'json' ? jsonEnd : uiEnd;
}

/**
 * The last frames of a stream that ends because the run waits for people. They belong to no event, so a client that
 * reads the run after it has resumed does not receive them.
 */
export function pauseFrames(kind: 'conversation' | 'run', format: Format): Frame[] {
  const finish = { type: 'finish', finishReason: 'other' };
  if (format === 'ui' || format === 'vercel') return [{ data: JSON.stringify(finish) }, ...uiEnd];
  return kind === 'run' && format === undefined ? [] : endFrames(format);
}

/** The position of a client: whole events, and frames of the next event. */
export interface Seen {
  seq: number;
  frames: number;
}

/** Reads a Last-Event-ID. An unknown id, or one of another run, is ignored. */
export function seenBy(last_event_id: string | undefined, run_id: string): Seen | undefined {
  const [, run, seq, frames = '0'] = /^(.+):(\d{1,10})(?:\.(\d{1,4}))?$/.exec(last_event_id ?? '') ?? [];
  return run === run_id ? { seq: Number(seq), frames: Number(frames) } : undefined;
}

/**
 * The frames that a client has not received yet. The dialect processes the earlier events too, so that its state is the
 * same as in an uninterrupted stream. Throws LogRewound when the log lacks an event that the client has received.
 */
export async function* unseenFrames(
  dialect: Dialect,
  events: AsyncIterable<NumberedEvent>,
  { seq, frames }: Seen,
  whenPaused: readonly Frame[] = [],
): AsyncGenerator<Frame> {
  let last: NumberedEvent['type'] | undefined;
  let before = 0;
  for await (const event of events) {
    const isNext = event.seq > seq && before <= seq;
    if (isNext && event.seq > seq + 1 && (before < seq || frames > 0)) throw new LogRewound();
    const made = dialect(event);
    last = event.type;
    before = event.seq;
    if (event.seq > seq) yield* event.seq === seq + 1 ? made.slice(frames) : made;
  }
  if (last === 'run-pause') yield* whenPaused;
}
