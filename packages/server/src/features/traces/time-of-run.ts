import type { Trace, TraceStep } from '@atrium/contract/traces/schema.ts';

type Time = Trace['time'];
type Gap = Time['gaps'][number];

/** Of steps at the same time, the first of these kinds counts: the innermost, and a person's wait before its tool. */
const innermost: readonly TraceStep['kind'][] = ['model', 'guardrail', 'wait', 'tool', 'run', 'node'];

interface TimedRun {
  status: string;
  created_at: string;
  started_at: string;
  finished_at: string | null;
}

/** The moments at which steps begin and end, within the time of the run. */
function boundariesOf(steps: readonly Pick<TraceStep, 'kind' | 'started_at' | 'ms'>[], begin: number, end: number) {
  const boundaries = steps.flatMap(({ kind, started_at, ms }) => {
    const start = Date.parse(started_at);
    const [from, to] = [Math.max(begin, start), Math.min(end, start + ms)];
    return from < to
      ? [
          { at: from, kind, by: 1 },
          { at: to, kind, by: -1 },
        ]
      : [];
  });
  return boundaries.toSorted((one, other) => one.at - other.at);
}

/**
 * Divides the time of a run, from the request for it to its end, among the kinds of its steps and the times without a step.
 * Each millisecond counts once, so the parts add up to the whole.
 */
export function timeOfRun(
  run: TimedRun,
  steps: readonly Pick<TraceStep, 'kind' | 'started_at' | 'ms'>[],
  now = Date.now(),
): Time {
  const begin = Date.parse(run.created_at);
  const end = Math.max(begin, run.finished_at === null ? now : Date.parse(run.finished_at));
  const started = run.status === 'queued' ? end : Math.min(end, Math.max(begin, Date.parse(run.started_at)));
  const boundaries = boundariesOf(steps, started, end);
  const [first = end, last = end] = [boundaries[0]?.at, boundaries.at(-1)?.at];
  const open = new Map<string, number>();
  const spent = new Map<Time['parts'][number]['what'], number>();
  const gaps: Gap[] = [];

  function phaseAt(at: number): Gap['phase'] {
    if (at < started) return 'queued';
    if (at < first) return 'preparing';
    return at >= last && run.finished_at !== null ? 'finishing' : 'between';
  }
  function addTime(from: number, to: number): void {
    if (from >= to) return;
    const running = innermost.find((kind) => (open.get(kind) ?? 0) > 0);
    const what = running ?? phaseAt(from);
    spent.set(what, (spent.get(what) ?? 0) + to - from);
    if (!running) gaps.push({ phase: phaseAt(from), started_at: new Date(from).toISOString(), ms: to - from });
  }

  addTime(begin, started);
  let at = started;
  for (const boundary of boundaries) {
    addTime(at, boundary.at);
    at = boundary.at;
    open.set(boundary.kind, (open.get(boundary.kind) ?? 0) + boundary.by);
  }
  addTime(at, end);
  return { ms: end - begin, parts: [...spent].map(([what, ms]) => ({ what, ms })), gaps };
}
