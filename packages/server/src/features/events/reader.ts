import type { Frame } from '../../lib/responses/sse-frame.ts';

/** The most events that wait for one reader: one that reads slower is cut off, and comes back with the last id it has. */
export const mostWaiting = 1000;

/** The events that wait for one reader. */
export interface ReaderQueue {
  /** False when the reader is cut off, now or before. */
  push(frames: readonly Frame[]): boolean;
  /** Ends the stream after what waits. */
  end(): void;
  /** Breaks the stream off at once: the client connects again. */
  cutOff(reason: string): void;
  frames(): AsyncGenerator<Frame>;
}

export function makeReaderQueue(onClose: () => void): ReaderQueue {
  let waiting: Frame[] = [];
  let state: 'open' | 'ended' | 'cut' = 'open';
  let reason = '';
  let wake = () => {};
  let isClosed = false;

  function close(): void {
    if (!isClosed) onClose();
    isClosed = true;
  }

  /** Closes at once: a generator whose stream was never read does not run its `finally`. */
  function cutOff(why: string): void {
    [state, reason, waiting] = ['cut', why, []];
    wake();
    close();
  }

  return {
    push(frames) {
      if (state !== 'open') return false;
      if (waiting.length + frames.length > mostWaiting) {
        cutOff('The reader is too slow');
        return false;
      }
      waiting.push(...frames);
      wake();
      return true;
    },
    end() {
      if (state === 'open') state = 'ended';
      wake();
    },
    cutOff,
    async *frames() {
      try {
        for (;;) {
          const batch = waiting;
          waiting = [];
          for (const frame of batch) {
            if (state === 'cut') break;
            yield frame;
          }
          if (state === 'cut') throw new Error(reason);
          if (waiting.length > 0) continue;
          if (state === 'ended') return;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        close();
      }
    },
  };
}
