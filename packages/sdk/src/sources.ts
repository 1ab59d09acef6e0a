import type { LiveEvent } from '@atrium/contract/events/schema.ts';
import type { UiChunk } from '@atrium/contract/runs/ui-chunk.ts';
import type { Source } from './event-stream.ts';

/** Opens the stream after the last id, or from its beginning. */
export type Open = (last: string | undefined, signal: AbortSignal | undefined) => Promise<ReadableStream<Uint8Array>>;

/** Ids are `<run>:<seq>`, or `<run>:<seq>.<n>` for the n-th frame of the event after it. */
function placeOf(id: string) {
  const [, run = '', seq, frame = '0'] = /^(.*):(\d+)(?:\.(\d+))?$/.exec(id) ?? [];
  return { run, place: Number(seq) + Number(frame) / 10_000 };
}

/** An answer as the parts of a message. After a `data-reset`, which is rare, it comes again from its beginning. */
export function makeReplySource(open: Open, lastEventId: string | undefined): Source<UiChunk> {
  let last = lastEventId;
  let answering: string | undefined;
  let read = lastEventId ? placeOf(lastEventId) : undefined;
  let isPaused = false;
  return {
    position: () => last,
    open(signal) {
      isPaused = false;
      return open(last, signal);
    },
    read({ id, data }) {
      if (id !== undefined) {
        const next = placeOf(id);
        // The rest of the answer can't be read any more: this is the next one.
        if (answering !== undefined && next.run !== answering) return { end: 'done' };
        answering = next.run;
        // Number 0 is a `data-reset`: words that were read before are lost, and all parts come again.
        if (next.place === 0) read = undefined;
        if (next.run === read?.run && next.place <= read.place) return {};
        read = next;
        last = id;
      }
      if (data === '[DONE]') return { end: isPaused ? 'waiting' : 'done' };
      const part = JSON.parse(data) as UiChunk;
      if (id === undefined && part.type === 'finish') {
        isPaused = true;
        return {};
      }
      return { part };
    },
  };
}

/** An event of a run: `content` and `state` of workflows, the parts of a message of agents. */
export interface RunPart {
  event: string;
  data: Record<string, unknown>;
  /** Several parts may belong to the event with this number. */
  seq: number;
}

/** The events of any run. They have a number and no id, so parts of an event that broke off are counted. */
export function makeRunSource(open: Open, lastEventId: string | undefined): Source<RunPart> {
  let seq = Number(lastEventId ?? 0);
  let count = 0;
  let skipped = 0;
  let isWaiting = false;
  return {
    position: () => (seq ? String(seq) : undefined),
    open(signal) {
      skipped = count;
      return open(String(Math.max(0, count ? seq - 1 : seq)), signal);
    },
    read({ event, data }) {
      if (event === 'done') return { end: isWaiting ? 'waiting' : 'done' };
      const part = JSON.parse(data) as RunPart;
      if (part.seq === seq && skipped-- > 0) return {};
      count = part.seq === seq ? count + 1 : 1;
      seq = part.seq;
      isWaiting = part.data['status'] === 'awaiting_human_feedback';
      return { part };
    },
  };
}

/** The events of a workspace, without an end. */
export function makeWorkspaceSource(open: Open, lastEventId: string | undefined): Source<LiveEvent> {
  let last = lastEventId;
  return {
    isEndless: true,
    position: () => last,
    open: (signal) => open(last, signal),
    read({ id, data }) {
      const part = JSON.parse(data) as LiveEvent;
      // `ready` and `reset` say from where on events follow.
      if (part.kind !== null && id !== undefined && Number(id) <= Number(last ?? -1)) return {};
      last = id ?? last;
      return { part };
    },
  };
}
