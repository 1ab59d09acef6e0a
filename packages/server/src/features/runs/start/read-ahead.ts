import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { isPassing } from '../log/event-writer.ts';

/** A model must not fill the memory while the database is slow; its connection is paused then. */
const maxEventsAhead = 500;

/**
 * Reads the first events of a run before its execution takes them, as long as they have no effect outside of it: a tool that
 * was called does not start. The rest is read as it is taken.
 */
export function readAhead(events: AsyncGenerator<RunEvent>, signal: AbortSignal): AsyncIterableIterator<RunEvent> {
  const read: Promise<IteratorResult<RunEvent>>[] = [];
  let isTaken = false;

  function pull(): void {
    const next = events.next();
    read.push(next);
    next.then(
      ({ done, value }) => {
        if (!isTaken && !done && isPassing(value) && read.length < maxEventsAhead && !signal.aborted) pull();
      },
      // It is thrown where it is taken.
      () => {},
    );
  }
  pull();

  return {
    next() {
      isTaken = true;
      return read.shift() ?? events.next();
    },
    return: (value) => events.return(value),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
