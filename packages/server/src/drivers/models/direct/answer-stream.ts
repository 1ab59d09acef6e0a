import type { PostControl, PostReceiver } from '../../web/driver.ts';
import type { ModelPart, StreamOptions } from '../driver.ts';
import { AnswerError, TooLargeAnswer } from '../model-errors.ts';
import { atCommonTick } from './common-ticks.ts';
import type { AnswerReader, Protocol } from './protocol.ts';
import { asRefusal, Refusal } from './refusal.ts';
import { SseReader } from './sse-reader.ts';

/** The most bytes that wait for the reader before the connection is paused. */
const max_waiting = 512 * 1024;
/** The most bytes of an answer, unpacked; 128,000 tokens with an event each have some 45 MB. */
const max_answer = 64 * 1024 * 1024;

/** One answer on its way: bytes come in from the connection, batches of parts go out to the model's caller. */
export class AnswerStream implements PostReceiver {
  readonly reader: AnswerReader;
  /** Set when the request is sent, before anything can come. */
  control: PostControl | undefined;
  over = false;
  failure: { error: unknown } | undefined;
  readonly #protocol: Protocol;
  readonly #joined: boolean;
  readonly #open = Promise.withResolvers<void>();
  readonly #events: SseReader;
  #head: { status: number; headers: Readonly<Record<string, string>> } | undefined;
  #refusal: Refusal | undefined;
  #waiting = 0;
  #size = 0;
  #paused = false;
  #wake: (() => void) | undefined;
  /** Whether words have been passed on. */
  #begun = false;
  #ticking = false;

  constructor(protocol: Protocol, reader: AnswerReader, { joined = false }: StreamOptions = {}) {
    this.#protocol = protocol;
    this.#joined = joined;
    this.reader = reader;
    this.#events = new SseReader((data) => {
      // OpenAI's mark of the end; the end of the connection says the same.
      if (data !== '[DONE]') reader.read(data);
    });
    // Its rejection is also kept as the failure, so a caller that has gone need not handle it.
    this.#open.promise.catch(() => {});
  }

  /** Resolves when the answer has begun, rejects when there is none. */
  get opened(): Promise<void> {
    return this.#open.promise;
  }

  head(status: number, status_text: string, headers: Readonly<Record<string, string>>): void {
    this.#head = { status, headers };
    if (status < 200 || status > 299) this.#refusal = new Refusal(status, status_text, headers);
    else if (status === 204 || status === 205) this.#stop(new AnswerError('Empty response body', { status }));
    else if (this.reader.begun) this.#open.resolve();
  }

  data(bytes: Buffer): void {
    if (this.over) return;
    if (this.#refusal) {
      // The rest of a longer one is not waited for: it may never end.
      if (!this.#refusal.data(bytes)) this.#stop(this.#refusal.error(this.#protocol));
      return;
    }
    this.#size += bytes.length;
    if (this.#size > max_answer) return void this.#stop(new TooLargeAnswer());
    // Pieces of network stay apart while a reader waits for the next tick, unless it does not mind.
    if (this.#ticking && !this.#joined) this.reader.parts.endPiece();
    if (!this.#attempt(() => this.#events.feed(bytes))) return;
    if (this.reader.begun) this.#open.resolve();
    this.#waiting += bytes.length;
    if (this.#waiting > max_waiting && !this.#paused) {
      this.#paused = true;
      this.control?.pause();
    }
    this.#notifySoon();
  }

  end(): void {
    if (this.#refusal) this.#stop(this.#refusal.error(this.#protocol));
    if (this.over || !this.#attempt(() => this.reader.end())) return;
    this.over = true;
    this.#open.resolve();
    this.#notify();
  }

  fail(error: unknown): void {
    if (!this.#head) this.#stop(error);
    else this.#stop(this.#refusal?.brokenError() ?? new AnswerError('', { ...this.#head, cause: error }));
  }

  /** Takes the parts that have come since the last batch, and lets the connection go on. */
  take(): ModelPart[] {
    this.#waiting = 0;
    if (this.#paused) {
      this.#paused = false;
      this.control?.resume();
    }
    return this.reader.parts.take();
  }

  /** Resolves when more parts have come, or the end. */
  more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #attempt(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      this.#stop(error);
      return false;
    }
  }

  #stop(given: unknown): void {
    if (this.over) return;
    this.over = true;
    const begun = this.#head !== undefined && !this.#refusal && this.reader.begun;
    const error = begun ? given : asRefusal(given, this.#head?.headers ?? {});
    this.failure = { error };
    // What came before the error is still read.
    if (begun) this.#open.resolve();
    else this.#open.reject(error);
    this.control?.abort(error);
    this.#notify();
  }

  /** The first words are passed on at once, further ones at ticks that all answers share. */
  #notifySoon(): void {
    if (!this.#wake || this.#ticking) return;
    if (!this.#begun || this.#paused) {
      this.#begun = this.reader.parts.waits;
      this.#notify();
      return;
    }
    this.#ticking = true;
    atCommonTick(() => {
      this.#ticking = false;
      this.#notify();
    });
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
