import { clientNetworkOf } from '../../lib/client-network.ts';
import type { NewAuditRow } from './store.ts';

/** The first row of a window is written at once; equal ones that follow are one row at its end. */
const windowMs = 600_000;
const mostListed = 20;

interface Window {
  row: NewAuditRow;
  until: number;
  /** Rows after the first. */
  count: number;
  first_at: string;
  last_at: string;
  operations: Map<string, number>;
  people: Set<string>;
  networks: Set<string>;
}

/** What a window has counted after its first row. */
export type CountedWindow = Readonly<Omit<Window, 'until'>>;

/** Adds to a list of bounded length; what does not fit is counted as `other`. */
function countIn(counts: Map<string, number>, name: string): void {
  const key = counts.has(name) || counts.size < mostListed ? name : 'other';
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const addTo = (list: Set<string>, value: string | null) => {
  if (value && list.size < mostListed) list.add(value);
};

/** Merges equal rows of some minutes, so that a flood of them fills no disk. */
export interface CountedRows {
  /**
   * Writes the row, or counts it in the window of this key. False: the key is new and there are as many windows as may be.
   * `summary` is the row that those after the first become; the row itself unless given.
   */
  add(key: string, row: NewAuditRow, summary?: NewAuditRow): false | Promise<void>;
  /** Ends the window that began first. */
  endOldest(): Promise<void>;
  /** Writes the windows that are over by this time. */
  endWindows(now: number): Promise<void>;
}

export function makeCountedRows(options: {
  /** The most windows at once. */
  most: number;
  write(row: NewAuditRow): Promise<void>;
  /** The row for all that a window has counted. */
  summarize(window: CountedWindow): NewAuditRow;
}): CountedRows {
  const { most, write, summarize } = options;
  const windows = new Map<string, Window>();

  async function end(key: string, window: Window): Promise<void> {
    windows.delete(key);
    if (window.count > 0) await write(summarize(window));
  }

  return {
    add(key, row, summary = row) {
      const now = new Date().toISOString();
      const window = windows.get(key);
      if (!window) {
        if (windows.size >= most) return false;
        const lists = { operations: new Map(), people: new Set<string>(), networks: new Set<string>() };
        windows.set(key, {
          ...{ row: summary, until: Date.now() + windowMs, count: 0, first_at: now, last_at: now, ...lists },
        });
        return write(row);
      }
      if (window.count === 0) window.first_at = now;
      window.count += 1;
      window.last_at = now;
      countIn(window.operations, row.operation);
      addTo(window.people, row.person_id);
      addTo(window.networks, row.address && clientNetworkOf(row.address));
      return Promise.resolve();
    },
    async endOldest() {
      for (const [key, window] of windows) return end(key, window);
    },
    async endWindows(now) {
      for (const [key, window] of windows) if (window.until <= now) await end(key, window);
    },
  };
}
