import { newId } from '../../../lib/ids.ts';
import type { JournalEvent } from '../runs/journal-events.ts';
import type { LargeValue } from '../runs/run-store.ts';

/** A value whose JSON is longer than this is stored apart from the journal. */
const largeFrom = 32_768;
/** How long events are collected, in milliseconds, and how many at most. */
const gatherFor = 30;
const gatherMost = 500;

export interface JournalWriter {
  add(event: JournalEvent): void;
  /** Resolves when all events are stored. */
  flush(): Promise<void>;
  /** Waits for the write that is under way and returns the events after it, to be stored together with the end. */
  rest(): Promise<{ events: JournalEvent[]; large: LargeValue[] }>;
}

/**
 * Writes the journal of one run in few rows. Events are collected for a moment; steps with effects wait for `flush`.
 * Of a step that begins and ends within one write only the end is stored.
 */
export function makeJournalWriter(
  append: (events: JournalEvent[], large: LargeValue[]) => Promise<void>,
): JournalWriter {
  let pending: JournalEvent[] = [];
  let large: LargeValue[] = [];
  let writing: Promise<void> = Promise.resolve();
  let failure: unknown;
  let timer: NodeJS.Timeout | undefined;
  /** The ids of stored values: a value that goes through many steps is stored once. */
  const kept = new Map<unknown, string>();

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (pending.length === 0) return writing;
    const [batch, values] = [pending, large];
    pending = [];
    large = [];
    writing = writing.then(() => append(batch, values));
    // The next `add` throws the error; an unhandled rejection would end the process.
    writing.catch((error) => {
      failure ??= error;
    });
    return writing;
  }

  function keep(value: unknown): string | undefined {
    const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : '';
    if (text.length < largeFrom) return undefined;
    const known = kept.get(value);
    if (known) return known;
    const id = newId();
    kept.set(value, id);
    large.push({ id, value: JSON.stringify(value) });
    return id;
  }

  /** The event with the ids of its large outputs instead of the values. */
  function slim(event: Extract<JournalEvent, { type: 'end' }>): JournalEvent {
    const outputs: Record<string, unknown> = {};
    const ids: Record<string, string> = {};
    for (const [name, value] of Object.entries(event.outputs ?? {})) {
      const id = keep(value);
      if (id) ids[name] = id;
      // JSON has no undefined: a run that is resumed must find the output that the first attempt saw.
      else outputs[name] = value === undefined ? null : value;
    }
    return { ...event, outputs, ...(Object.keys(ids).length && { large: ids }) };
  }

  function add(event: JournalEvent): void {
    if (failure) throw failure;
    if (event.type === 'end') {
      const begun = pending.findLastIndex((one) => one.type === 'start' && one.node === event.node);
      if (begun >= 0) pending.splice(begun, 1);
    }
    pending.push(event.type === 'end' && event.outputs ? slim(event) : event);
    if (pending.length >= gatherMost) void flush();
    else timer ??= setTimeout(flush, gatherFor);
  }

  return {
    add,
    flush,
    async rest(): Promise<{ events: JournalEvent[]; large: LargeValue[] }> {
      clearTimeout(timer);
      const rest = { events: pending, large };
      pending = [];
      large = [];
      await writing;
      return rest;
    },
  };
}
