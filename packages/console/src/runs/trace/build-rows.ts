import type { Gap, Step, Trace } from '../runs.ts';

/** The row of the run itself, above its steps. */
export const rootId = 'run';

/** One line of a trace: the run itself, one of its steps, or a time without any. */
export interface Row {
  id: string;
  /** Undefined: the run itself, or a gap. */
  step: Step | undefined;
  /** There in rows of times without a step. */
  gap?: Gap;
  depth: number;
  /** How many rows are below it, on all levels. */
  below: number;
  /** Milliseconds after the run was asked for. */
  startMs: number;
  ms: number;
}

/** Shorter times without a step have no row of their own: this part of the run, and these milliseconds. */
const [leastPart, leastMs] = [0.01, 20];

export const gapId = ({ started_at }: Gap) => `gap-${started_at}`;

/**
 * The steps and the gaps between them in the order of their start, each step below the step that it is a part of. A step whose parent is not in the trace
 * stands below the run. Parents that name each other in a circle are cut: every step is shown once.
 */
export function buildRows(trace: Trace, endMs: number): Row[] {
  const began = Date.parse(trace.created_at);
  const known = new Set(trace.steps.map(({ id }) => id));
  const children = new Map<string, Step[]>();
  for (const step of trace.steps) {
    const parent =
      step.parent_id !== null && step.parent_id !== step.id && known.has(step.parent_id) ? step.parent_id : rootId;
    const siblings = children.get(parent);
    if (siblings) siblings.push(step);
    else children.set(parent, [step]);
  }
  const rows: Row[] = [{ id: rootId, step: undefined, depth: 0, below: 0, startMs: 0, ms: endMs }];
  const shown = new Set<string>();
  const add = (entries: readonly (Step | Gap)[], depth: number) => {
    for (const step of entries.toSorted((one, other) => one.started_at.localeCompare(other.started_at))) {
      if ('phase' in step) {
        const startMs = Date.parse(step.started_at) - began;
        rows.push({ id: gapId(step), step: undefined, gap: step, depth, below: 0, startMs, ms: step.ms });
        continue;
      }
      if (shown.has(step.id)) continue;
      shown.add(step.id);
      const row: Row = {
        id: step.id,
        step,
        depth,
        below: 0,
        startMs: Date.parse(step.started_at) - began,
        ms: step.ms,
      };
      rows.push(row);
      const before = rows.length;
      add(children.get(step.id) ?? [], depth + 1);
      row.below = rows.length - before;
    }
  };
  const gaps = trace.time.gaps.filter(({ ms }) => ms >= Math.max(leastMs, endMs * leastPart));
  add([...(children.get(rootId) ?? []), ...gaps], 1);
  add(
    trace.steps.filter(({ id }) => !shown.has(id)),
    1,
  );
  const [root] = rows;
  if (root) root.below = rows.length - 1;
  return rows;
}

/** The rows without those below folded ones. */
export function foldRows(rows: readonly Row[], folded: ReadonlySet<string>): readonly Row[] {
  if (folded.size === 0) return rows;
  const visible: Row[] = [];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index];
    if (!row) break;
    visible.push(row);
    if (folded.has(row.id)) index += row.below;
  }
  return visible;
}

/** How long the run waited for a slot, people and times. Waits at the same time count once. */
export function waitedMs(rows: readonly Row[]): number {
  const waits = rows
    .filter(({ step, gap }) => step?.kind === 'wait' || gap?.phase === 'queued')
    .toSorted((one, other) => one.startMs - other.startMs);
  let [sum, end] = [0, Number.NEGATIVE_INFINITY];
  for (const { startMs, ms } of waits) {
    sum += Math.max(0, startMs + ms - Math.max(startMs, end));
    end = Math.max(end, startMs + ms);
  }
  return sum;
}
