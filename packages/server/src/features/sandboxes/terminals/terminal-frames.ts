import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../db/database.ts';
import type { Frame } from '../../../lib/responses/sse-frame.ts';
import { findTerminal, type TerminalKey, type TerminalOwner } from './store.ts';
import { outputAfter, outputPage } from './transfer-store.ts';

/** A notification may be lost, and the process that runs the terminal too. */
const lookAgainMs = 2000;
/** A follower that has read everything reads no sooner again, however often the program writes. */
const pauseMs = 100;

interface Reading {
  db: Database;
  owner: TerminalOwner;
  key: TerminalKey;
  /** The number of the last output that the client has. */
  last: number;
  /** Aborted when the client is gone. */
  signal: AbortSignal;
  /** Whether this node is being stopped. */
  isClosing(): boolean;
  /** Called once, when nothing more is read. */
  onEnd(): void;
  /** Calls the listener when there may be more to read. Returns a function that stops listening. */
  onOutput(listener: () => void): () => void;
}

const frame = (event: string, data: object, id: number): Frame => ({
  event,
  data: JSON.stringify(data),
  id: String(id),
});

/** The output of a terminal as events, until it ends or the client leaves. */
export async function* terminalFrames(reading: Reading): AsyncGenerator<Frame> {
  const { db, owner, key, signal } = reading;
  let { last } = reading;
  let wake = () => {};
  let hasNews = false;
  const notice = () => {
    hasNews = true;
    wake();
  };
  const stop = reading.onOutput(notice);
  signal.addEventListener('abort', notice);
  try {
    while (!signal.aborted) {
      if (reading.isClosing()) throw new Error('The server is being stopped');
      hasNews = false;
      const earliest = performance.now() + pauseMs;
      // The state is read first: what comes before the end is stored before it.
      const terminal = await findTerminal(db, owner, key.id);
      const shown = await outputAfter(db, key, last);
      const [oldest] = shown;
      if (oldest && oldest.seq !== last + 1) yield frame('reset', {}, oldest.seq - 1);
      for (const { seq, text } of shown) {
        yield frame('output', { text }, seq);
        last = seq;
      }
      if (shown.length === outputPage) continue;
      if (!terminal) return yield frame('end', { exit_code: null, reason: 'lost' }, last);
      const { status, exit_code, reason } = terminal;
      if (status === 'ended') return yield frame('end', { exit_code, reason }, last);
      if (!hasNews)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, lookAgainMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      const pause = earliest - performance.now();
      if (pause > 0) await sleep(pause, undefined, { signal }).catch(() => {});
    }
  } finally {
    stop();
    reading.onEnd();
    signal.removeEventListener('abort', notice);
  }
}
