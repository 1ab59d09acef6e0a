import { parentPort, workerData } from 'node:worker_threads';
import type { TaggedSpan } from '../driver.ts';
import { loadAsset } from './asset.ts';
import { contextSpans } from './context.ts';
import { pack } from './packed.ts';
import { makeReader, type Reader } from './reader.ts';

/** The messages between the calling thread and this one. */
export type Ask = { id: number; text: string };
export type Answer = { id: number; spans: Int32Array } | { id: number; error: string };

interface Job {
  id: number;
  spans: TaggedSpan[];
  parts: Generator<TaggedSpan[]>;
}

/** Texts take turns window by window, so that a short text does not wait for a long one. */
const jobs: Job[] = [];
const port = parentPort;
const fail = (id: number, error: unknown) => port?.postMessage({ id, error: String(error) } satisfies Answer);
let reader: Reader | undefined;

function turn(): void {
  const job = jobs.shift();
  if (!job) return;
  try {
    const part = job.parts.next();
    if (part.done) {
      const spans = pack(job.spans);
      port?.postMessage({ id: job.id, spans } satisfies Answer, [spans.buffer]);
    } else {
      job.spans.push(...part.value);
      jobs.push(job);
    }
  } catch (error) {
    fail(job.id, error);
  }
  if (jobs.length) setImmediate(turn);
}

port?.on('message', ({ id, text }: Ask) => {
  try {
    reader ??= makeReader(loadAsset(workerData ? new URL(workerData as string) : undefined));
    jobs.push({ id, spans: contextSpans(text), parts: reader.spansOf(text) });
    if (jobs.length === 1) setImmediate(turn);
  } catch (error) {
    fail(id, error);
  }
});
