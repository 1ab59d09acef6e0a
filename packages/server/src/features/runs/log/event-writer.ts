import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { isRetraction } from '../../messages/service.ts';
import { continues, isDelta } from './event-rows.ts';

/** Pieces of text that come within this time of one another are shown as one. */
const gatherFor = 8;
/** How long other events are gathered before they are stored. */
const gatherOthersFor = 30;
/** The longest time that words are on screens and not in the log. */
const storeEvery = 250;
/** Runs store their words at multiples of this, so that those of several runs share a statement. */
const storeSlot = 50;
const untilStore = () => storeEvery - ((Date.now() + storeEvery) % storeSlot);
/** The run waits for a store that takes longer than this: a database that is away must not be run ahead of. */
const patience = 1000;

const passingTypes: readonly string[] = [
  ...['run-start', 'step-start', 'attempt-start', 'warning', 'text-delta', 'reasoning-delta'],
];

/**
 * Whether clients may see an event before it is stored. Such an event has no effect outside of the run: the node that
 * takes the run over produces it again, and clients that have seen it begin anew.
 */
export const isPassing = (event: RunEvent): boolean => passingTypes.includes(event.type) && !isRetraction(event);

export interface EventSink {
  /** Shows events to the clients that follow the run. */
  show(events: readonly RunEvent[]): void;
  /** Stores all events that were shown, and then these, which are shown when they are stored. */
  store(events: readonly RunEvent[]): Promise<void>;
}

/**
 * Words are shown as they come and stored every 250 ms. All else is stored before it is shown, and side effects wait for
 * the log: a tool starts once its call is stored, and the run continues once the result is stored.
 */
export function makeEventWriter({ show, store }: EventSink) {
  let pending: RunEvent[] = [];
  let writing: Promise<void> = Promise.resolve();
  let failure: unknown;
  let showTimer: NodeJS.Timeout | undefined;
  let storeTimer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;
  let lastShown = 0;
  let saying = false;
  let called = false;
  /** Whether something was shown that no write has taken yet. */
  let behind = false;
  /** Writes under way that have events to show at their end; later ones are not shown before them. */
  let blocking = 0;
  let writingSince: number | undefined;

  function clearTimers(): void {
    clearTimeout(showTimer);
    clearTimeout(storeTimer);
    clearImmediate(soon);
    showTimer = storeTimer = soon = undefined;
  }

  async function write(batch: readonly RunEvent[]): Promise<void> {
    writingSince = Date.now();
    await store(batch);
    writingSince = undefined;
    if (batch.length) blocking--;
    showPending();
  }

  function flush(): Promise<void> {
    clearTimers();
    if (pending.length === 0 && !behind) return writing;
    const batch = pending;
    pending = [];
    behind = false;
    if (batch.length) blocking++;
    writing = writing.then(() => write(batch));
    // Kept for the next write to throw: an unhandled rejection would end the process.
    writing.catch((error) => {
      failure ??= error;
    });
    return writing;
  }

  function showPending(): void {
    clearTimeout(showTimer);
    clearImmediate(soon);
    showTimer = soon = undefined;
    if (pending.length === 0 || blocking > 0 || failure) return;
    if (!pending.every(isPassing)) {
      void flush();
      return;
    }
    const batch = pending;
    pending = [];
    lastShown = Date.now();
    try {
      show(batch);
    } catch (error) {
      failure ??= error;
      return;
    }
    behind = true;
    storeTimer ??= setTimeout(flush, untilStore());
  }

  /** A text grows in a copy: the events belong to their sender. */
  function say(event: RunEvent): void {
    const last = pending.at(-1);
    if (last && isDelta(last) && isDelta(event) && continues(last, event)) last.text += event.text;
    else pending.push({ ...event });
    const since = Date.now() - lastShown;
    // All that came in one piece of network is one piece here too.
    if (!saying || since >= gatherFor) soon ??= setImmediate(showPending);
    else showTimer ??= setTimeout(showPending, gatherFor - since);
    saying = true;
  }

  return {
    /** Takes an event; a promise when the next one has to wait until this one is stored. */
    write(event: RunEvent): Promise<void> | undefined {
      if (failure) throw failure;
      if (isDelta(event)) {
        say(event);
        return writingSince !== undefined && Date.now() - writingSince > patience ? writing : undefined;
      }
      saying = false;
      pending.push(event);
      if (event.type === 'step-start') called = false;
      else if (event.type === 'tool-call') called = true;
      if (event.type === 'tool-result' || event.type === 'run-resume' || (event.type === 'step-end' && called))
        return flush();
      showTimer ??= setTimeout(showPending, isPassing(event) ? gatherFor : gatherOthersFor);
      return undefined;
    },
    /** Everything is stored when this resolves. */
    flush,
    /** Drops the events that no write has taken yet: the node that goes on with the run produces them again. */
    abandon(): void {
      clearTimers();
      pending = [];
      behind = false;
    },
    /**
     * Waits for the current write and returns the events that were not shown yet. They are stored together with the end,
     * and so are those that were shown.
     */
    async rest(): Promise<RunEvent[]> {
      clearTimers();
      const rest = pending;
      pending = [];
      await writing;
      return rest;
    },
  };
}
