import { Worker } from 'node:worker_threads';
import type { TaggedSpan, Tagger } from './driver.ts';
import { contextSpans } from './neural/context.ts';
import { type Answers, type Ask, nameListsOf, unpackAnswers } from './neural/messages.ts';
import { makeIsPlainText } from './neural/plain-text.ts';

interface Waiting {
  resolve(spans: TaggedSpan[]): void;
  reject(error: Error): void;
}

/** Longer texts hardly ever consist of plain words alone. */
const longestPlain = 2000;

/**
 * The tagger of our own model. It runs in a thread of its own that starts at the first call, so that a long text blocks
 * nothing and the model is in memory once. A thread that died is replaced at the next call, and its pending calls fail.
 * Short texts of plain words are answered here, once the thread has sent its lists of names.
 */
export function makeNeuralTagger({ asset }: { asset?: URL } = {}): Tagger {
  let worker: Worker | undefined;
  let isPlainText: ((text: string) => boolean) | undefined;
  let asked = 0;
  let asks: Ask[] = [];
  const waiting = new Map<number, Waiting>();

  function failAll(error: Error): void {
    worker = undefined;
    asks = [];
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function settle(id: number, end: (asker: Waiting) => void): void {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (asker) end(asker);
  }

  function start(): Worker {
    const fresh = new Worker(new URL('./neural/worker.js', import.meta.url), {
      workerData: asset?.href,
      // The objects of this thread are short-lived; a small young generation keeps V8 from piling them up.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    fresh.on('message', ({ spans, failed, lists }: Answers) => {
      if (lists) isPlainText = makeIsPlainText(nameListsOf(lists));
      for (const answer of unpackAnswers(spans)) settle(answer.id, ({ resolve }) => resolve(answer.spans));
      for (const { id, error } of failed)
        settle(id, ({ reject }) => reject(new Error(`The name tagger failed: ${error}`)));
      // Only a pending call keeps the process alive.
      if (waiting.size === 0) fresh.unref();
    });
    fresh.on('error', (error) => failAll(new Error('The name tagger failed.', { cause: error })));
    fresh.on('exit', () => failAll(new Error('The name tagger has ended.')));
    return fresh;
  }

  /** Texts of the same turn of the event loop travel in one message, since each message costs more than a short text. */
  function send(): void {
    if (asks.length === 0) return;
    worker ??= start();
    worker.ref();
    worker.postMessage(asks);
    asks = [];
  }

  return {
    async tag(text) {
      if (text.length <= longestPlain && isPlainText?.(text)) return contextSpans(text);
      return new Promise((resolve, reject) => {
        const id = ++asked;
        waiting.set(id, { resolve, reject });
        if (asks.push({ id, text }) === 1) setImmediate(send);
      });
    },
  };
}
