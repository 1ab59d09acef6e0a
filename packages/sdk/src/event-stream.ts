import { AtriumError } from './errors.ts';
import type { StreamOptions, StreamState } from './options.ts';
import { pause } from './pause.ts';
import { type Frame, readFrames } from './read-frames.ts';

export interface Source<T> {
  /** Begins, or goes on after the last frame that was read. */
  open(signal: AbortSignal | undefined): Promise<ReadableStream<Uint8Array>>;
  /** What a frame brings; nothing when it was read before. `end`: nothing comes after it. */
  read(frame: Frame): { part?: T; end?: 'waiting' | 'done' };
  /** Whether it never ends by itself. */
  isEndless?: true;
  /** The id to send as `Last-Event-ID` to go on later. */
  position(): string | undefined;
}

/**
 * The parts of a stream, read once. It joins again by itself when the connection is lost, without losing or doubling a
 * part. It ends with the run, when the run waits for a person (`state` is then `waiting`), or when its signal is aborted.
 */
export class EventStream<T> implements AsyncIterable<T> {
  #state: StreamState = 'idle';
  readonly #source: Source<T>;
  readonly #options: StreamOptions;
  readonly #firstPause: number | undefined;

  constructor(source: Source<T>, options: StreamOptions, firstPause: number | undefined) {
    this.#source = source;
    this.#options = options;
    this.#firstPause = firstPause;
  }

  get state(): StreamState {
    return this.#state;
  }

  /** The id of the last part, from which another stream can go on. */
  get lastEventId(): string | undefined {
    return this.#source.position();
  }

  #enter(state: StreamState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onState?.(state);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const { signal, maxRetries = 10 } = this.#options;
    let empty = 0;
    for (let failures = 0; ; failures++) {
      this.#enter('joining');
      let lost = new AtriumError(0, { code: 'network', detail: 'Connection lost' });
      try {
        const body = await this.#source.open(signal);
        this.#enter('live');
        empty++;
        for await (const frame of readFrames(body)) {
          empty = 0;
          const { part, end } = this.#source.read(frame);
          if (part !== undefined) {
            failures = 0;
            yield part;
          }
          if (end) return this.#enter(end);
        }
        // After its last part a stream has nothing to send; a server that stops may close one as well, so it is asked twice.
        if (empty > 1 && !this.#source.isEndless && this.lastEventId) return this.#enter('done');
      } catch (error) {
        if (error instanceof AtriumError) lost = error;
      }
      if (signal?.aborted) return this.#enter('idle');
      this.#enter('lost');
      if (!lost.isPassing || failures >= maxRetries) throw lost;
      try {
        await pause(failures, this.#firstPause, lost.retryAfter, signal);
      } catch {
        return this.#enter('idle');
      }
    }
  }
}
