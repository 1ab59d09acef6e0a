import type { Graph } from './graph-types.ts';

/** A change that can be undone, by its name. */
export interface Command {
  name: string;
  before: Graph;
  after: Graph;
  /** Where it was typed: changes of one place within a second are one command. */
  place: string | undefined;
  at: number;
}
export interface History {
  past: readonly Command[];
  future: readonly Command[];
}

export const noHistory: History = { past: [], future: [] };
const most = 200;

export function withCommand({ past }: History, next: Command): History {
  const last = past.at(-1);
  const isSame = last && next.place !== undefined && last.place === next.place && next.at - last.at < 1000;
  const grown = isSame ? [...past.slice(0, -1), { ...next, before: last.before }] : [...past, next];
  return { past: grown.slice(-most), future: [] };
}

/** The graph one step back or forth, and the history from there. */
export function stepBack({ past, future }: History): { graph: Graph; history: History } | undefined {
  const last = past.at(-1);
  return last && { graph: last.before, history: { past: past.slice(0, -1), future: [...future, last] } };
}

export function stepForth({ past, future }: History): { graph: Graph; history: History } | undefined {
  const next = future.at(-1);
  return next && { graph: next.after, history: { past: [...past, next], future: future.slice(0, -1) } };
}
