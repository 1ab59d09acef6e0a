import { Worker } from 'node:worker_threads';
import type { TaggedSpan, Tagger } from './driver.ts';
import { unpack } from './neural/packed.ts';
import type { Answer } from './neural/serve.ts';

interface Waiting {
  resolve(spans: TaggedSpan[]): void;
  reject(error: Error): void;
}

/**
 * The tagger of our own model. It runs in a thread of its own that starts at the first call, so that a long text blocks
 * nothing and the model is in memory once. A thread that died is replaced at the next call, and its pending calls fail.
 */
export function makeNeuralTagger({ asset }: { asset?: URL } = {}): Tagger {
  let worker: Worker | undefined;
  let asked = 0;
  const waiting = new Map<number, Waiting>();

  function failAll(error: Error): void {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function start(): Worker {
    const fresh = new Worker(new URL('./neural/worker.js', import.meta.url), {
      workerData: asset?.href,
      // The objects of this thread are short-lived; a small young generation keeps V8 from piling them up.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    fresh.on('message', (answer: Answer) => {
      const asker = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('error' in answer) asker?.reject(new Error(`The name tagger failed: ${answer.error}`));
      else asker?.resolve(unpack(answer.spans));
      // Only a pending call keeps the process alive.
      if (waiting.size === 0) fresh.unref();
    });
    fresh.on('error', (error) => failAll(new Error('The name tagger failed.', { cause: error })));
    fresh.on('exit', () => failAll(new Error('The name tagger has ended.')));
    return fresh;
  }

  return {
    tag: (text) =>
      new Promise((resolve, reject) => {
        worker ??= start();
        worker.ref();
        const id = ++asked;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, text });
      }),
  };
}
