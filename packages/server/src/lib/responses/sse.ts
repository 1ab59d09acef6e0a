import { Readable } from 'node:stream';
import { RawAnswer } from './raw-answer.ts';
import { type Frame, frameText } from './sse-frame.ts';

export interface SseOptions {
  headers?: Record<string, string>;
  /** The longest silence; clients give up on a connection that says nothing. */
  keep_alive_ms?: number;
  /**
   * How long frames are gathered into one write: many small writes were most of the cost of a stream. The first frame
   * after a pause is written at once.
   */
  gather_ms?: number;
  /** How long a reader may read nothing of what is there for it. One that is cut off can come back and go on. */
  stall_ms?: number;
}

/** No more than this is gathered before it is written, nor held for a reader that does not read. */
const most = 16_384;

/** So many writes are not gathered: the beginning of a run and its first word must not wait for each other. */
const atOnce = 3;

/** A comment. Some clients take a lone `retry:` or a comment after an `id:` for an empty event. */
const ping = ': ping\n\n';

/**
 * Turns frames into a response body. It pulls: while the socket does not drain, the source is not read any further, so
 * a slow reader holds a bounded amount of memory. When the client disconnects, the source is closed.
 */
export function sseBody(
  frames: AsyncIterable<Frame>,
  { keep_alive_ms = 15_000, gather_ms = 5, stall_ms = 60_000 }: SseOptions = {},
) {
  const source = frames[Symbol.asyncIterator]();
  let gathered = ping;
  let timer: NodeJS.Timeout | undefined;
  /** Frames that arrived together are written together, once all of them are here. */
  let due: NodeJS.Immediate | undefined;
  let stall: NodeJS.Timeout | undefined;
  let wanted = Promise.withResolvers<void>();
  let full = false;
  let lastWrite = 0;
  let writes = 0;

  const body = new Readable({
    highWaterMark: most,
    read() {
      clearTimeout(stall);
      full = false;
      wanted.resolve();
    },
    destroy(error, callback) {
      clearTimeout(timer);
      clearImmediate(due);
      clearTimeout(stall);
      clearInterval(silence);
      wanted.resolve();
      // A source that waits for something closes when that arrives; the stream does not wait for it.
      source.return?.().catch(() => {});
      callback(error);
    },
  });

  function write(text: string): void {
    silence.refresh();
    lastWrite = Date.now();
    writes++;
    full = !body.push(text);
    if (!full) return;
    wanted = Promise.withResolvers();
    clearTimeout(stall);
    stall = setTimeout(() => body.destroy(new Error('Nobody reads this stream')), stall_ms);
  }

  function flush(): void {
    clearTimeout(timer);
    clearImmediate(due);
    timer = undefined;
    due = undefined;
    const text = gathered;
    gathered = '';
    if (text && !body.destroyed) write(text);
  }

  // A reader that is behind has something to read already.
  const silence = setInterval(() => full || write(ping), keep_alive_ms);

  async function pump(): Promise<void> {
    for (;;) {
      if (full) await wanted.promise;
      if (body.destroyed) return;
      const { done, value } = await source.next();
      if (body.destroyed) return;
      if (done) break;
      gathered += frameText(value);
      if (gathered.length >= most) flush();
      else if (writes >= atOnce && Date.now() - lastWrite <= gather_ms) timer ??= setTimeout(flush, gather_ms);
      else if (!due) due = setImmediate(flush);
    }
    flush();
    clearInterval(silence);
    body.push(null);
  }

  // The status and the headers travel with the first bytes, so that the client need not wait for them until the model
  // answers.
  timer = setTimeout(flush, gather_ms);
  // A broken connection is what clients know how to resume from; half a stream with a proper end is not.
  pump().catch((error: Error) => body.destroy(error));
  return body;
}

export const sseAnswer = (frames: AsyncIterable<Frame>, options: SseOptions = {}) =>
  new RawAnswer(sseBody(frames, options), {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'private, no-store, no-transform',
    'x-accel-buffering': 'no',
    ...options.headers,
  });
