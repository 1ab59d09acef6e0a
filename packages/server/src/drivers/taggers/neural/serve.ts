import { parentPort, workerData } from 'node:worker_threads';
import type { TaggedSpan } from '../driver.ts';
import { type Asset, loadAsset } from './asset.ts';
import { contextSpans } from './context.ts';
import { type Answers, type Ask, listBytesOf, packAnswers } from './messages.ts';
import { makeReader, type Reader } from './reader.ts';

interface Job {
  id: number;
  spans: TaggedSpan[];
  parts: Generator<TaggedSpan[]>;
}

/** The milliseconds of work after which finished answers are sent. Short texts that came together are answered together. */
const turn_ms = 2;

/** Texts take turns window by window, so that a short text does not wait for a long one. */
const jobs: Job[] = [];
const port = parentPort;
let loaded: { asset: Asset; reader: Reader } | undefined;
let listsSent = false;

function send(done: readonly Job[], failed: Answers['failed']): void {
  if (done.length === 0 && failed.length === 0) return;
  const spans = packAnswers(done);
  const lists = loaded && !listsSent ? { lists: listBytesOf(loaded.asset) } : {};
  listsSent ||= loaded !== undefined;
  port?.postMessage({ spans, failed, ...lists } satisfies Answers, [spans.buffer]);
}

function turn(): void {
  const done: Job[] = [];
  const failed: Answers['failed'] = [];
  const until = performance.now() + turn_ms;
  do {
    const job = jobs.shift();
    if (!job) break;
    try {
      const part = job.parts.next();
      if (part.done) done.push(job);
      else {
        job.spans.push(...part.value);
        jobs.push(job);
      }
    } catch (error) {
      failed.push({ id: job.id, error: String(error) });
    }
  } while (performance.now() < until);
  send(done, failed);
  if (jobs.length) setImmediate(turn);
}

function load(): Reader {
  if (!loaded) {
    const asset = loadAsset(workerData ? new URL(workerData as string) : undefined);
    loaded = { asset, reader: makeReader(asset) };
  }
  return loaded.reader;
}

port?.on('message', (asks: Ask[]) => {
  const idle = jobs.length === 0;
  for (const { id, text } of asks)
    try {
      jobs.push({ id, spans: contextSpans(text), parts: load().spansOf(text) });
    } catch (error) {
      send([], [{ id, error: String(error) }]);
    }
  if (idle && jobs.length) setImmediate(turn);
});
