import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './figure.ts';
import { makeCpuMeter } from './process-figures.ts';

/** A server that answers a message with a stream of words. */
export interface StreamTarget {
  /** Makes a conversation; its id. */
  create(): Promise<string>;
  /** The stream of the answer to a message. */
  say(id: string, message: string): Promise<IncomingMessage>;
  /** What each token of its stream looks like. */
  token: string;
  /** What a whole stream ends with; a stream without it was cut off. */
  end: string;
  /** Processes whose processor time counts as the server's, and as its database's. */
  server: () => number[];
  database: () => number[];
}

export interface LoadFigures {
  per_second: number;
  /** From the message to the first token, the conversation's creation not included. */
  first_ms: number;
  /** Processor time of a conversation. */
  server_ms: number;
  database_ms: number;
  /** The time between two tokens that 99 of 100 stay under. */
  gap_p99_ms: number;
}

interface StreamTimes {
  first_ms: number;
  gaps: number[];
}

/** Reads a stream to its end. Tokens that arrive together have no time between them. */
async function readAnswer(target: StreamTarget, id: string, message: string): Promise<StreamTimes> {
  const begun = performance.now();
  let [first_ms, last, tail, closing] = [0, 0, '', ''];
  const gaps: number[] = [];
  for await (const chunk of (await target.say(id, message)).setEncoding('latin1')) {
    const now = performance.now();
    const text = tail + String(chunk);
    for (let at = text.indexOf(target.token); at >= 0; at = text.indexOf(target.token, at + 1)) {
      if (first_ms) gaps.push(now - last);
      else first_ms = now - begun;
      last = now;
    }
    // A token may be split over two pieces; what is kept is shorter than one.
    tail = text.slice(-(target.token.length - 1));
    closing = (closing + text).slice(-500);
  }
  if (!closing.includes(target.end)) throw new Error(`The stream was cut off: ${closing}`);
  return { first_ms, gaps };
}

/** The value that a share of the values stay under. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export interface Load {
  count: number;
  atOnce: number;
  /** Called anew for each conversation. */
  message: () => string;
  /** The time over which the first ones begin: answers of one length that begin together would end together, too. */
  over_ms?: number;
}

/** Holds `count` conversations, `atOnce` at a time. */
export async function measureLoad(
  target: StreamTarget,
  { count, atOnce, message, over_ms = 0 }: Load,
): Promise<LoadFigures> {
  const firsts: number[] = [];
  const gaps: number[] = [];
  let left = count;
  const worker = async (_: unknown, index: number) => {
    if (over_ms > 0) await sleep((over_ms * index) / atOnce);
    while (left-- > 0) {
      const times = await readAnswer(target, await target.create(), message());
      firsts.push(times.first_ms);
      gaps.push(...times.gaps);
    }
  };
  const [server, database] = [makeCpuMeter(target.server), makeCpuMeter(target.database)];
  const begun = performance.now();
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
  const seconds = (performance.now() - begun) / 1000;
  return {
    per_second: count / seconds,
    first_ms: median(firsts),
    server_ms: server() / count,
    database_ms: database() / count,
    gap_p99_ms: quantile(gaps, 0.99),
  };
}

/** The medians of each figure over several rounds. */
export function medianFigures(rounds: readonly LoadFigures[]): LoadFigures {
  const of = (field: keyof LoadFigures) => median(rounds.map((round) => round[field]));
  return {
    per_second: of('per_second'),
    first_ms: of('first_ms'),
    server_ms: of('server_ms'),
    database_ms: of('database_ms'),
    gap_p99_ms: of('gap_p99_ms'),
  };
}
