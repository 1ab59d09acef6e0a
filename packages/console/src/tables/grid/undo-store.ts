import { create } from 'zustand';
import type { RowView } from '../queries.ts';

/** A view of the rows, as the address has it. */
export type ViewState = RowView & { hidden?: string | undefined };

/** Something that was done and can be taken back: writes by the ids of their changes, or another view. */
export type Command = { label: string } & (
  | { changes: Promise<readonly string[]> }
  | { view: { before: ViewState; after: ViewState } }
);

interface History {
  past: readonly Command[];
  future: readonly Command[];
}
const empty: History = { past: [], future: [] };
const most = 200;

/** What was done in each table since the page was loaded. It outlives a visit to another tab. */
export const useUndoStore = create<Record<string, History>>(() => ({}));

const historyOf = (key: string): History => useUndoStore.getState()[key] ?? empty;
const set = (key: string, history: History) => useUndoStore.setState({ [key]: history });

/** Notes something new; what was taken back can't be done again then. */
export const note = (key: string, command: Command): void =>
  set(key, { past: [...historyOf(key).past, command].slice(-most), future: [] });

/** Takes the newest command of a side away. */
export function take(key: string, side: keyof History): Command | undefined {
  const history = historyOf(key);
  const command = history[side].at(-1);
  if (command) set(key, { ...history, [side]: history[side].slice(0, -1) });
  return command;
}

export const put = (key: string, side: keyof History, command: Command): void => {
  const history = historyOf(key);
  set(key, { ...history, [side]: [...history[side], command] });
};

const lastJobs = new Map<string, Promise<unknown>>();

/** Runs the writes and undos of a table one after another, so that an undo never overtakes the write before it. */
export function runInOrder<T>(key: string, job: () => Promise<T>): Promise<T> {
  const result = (lastJobs.get(key) ?? Promise.resolve()).then(job);
  lastJobs.set(
    key,
    result.catch(() => {}),
  );
  return result;
}
