import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { Scope } from '../../lib/scope.ts';
import type { TargetStart, TriggerTarget } from './ports.ts';

/** A clock that a test moves. Sleepers wake when their time has come, so a year takes only as long as its work. */
export function simulatedClock(start: number) {
  let time = start;
  const sleepers = new Set<{ until: number; wake(): void }>();
  const clock: Clock = {
    now: () => time,
    sleepUntil: (until, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || until <= time) return resolve();
        const wake = () => {
          sleepers.delete(sleeper);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper = { until, wake };
        sleepers.add(sleeper);
        signal.addEventListener('abort', wake, { once: true });
      }),
  };
  return {
    clock,
    /** How many sleepers there are. */
    sleeping: () => sleepers.size,
    /** When the first of them wakes. */
    next: () => Math.min(Number.POSITIVE_INFINITY, ...[...sleepers].map(({ until }) => until)),
    /** Sets the clock, also back, and wakes the sleepers whose time has come. */
    set(to: number): void {
      time = to;
      for (const sleeper of [...sleepers]) if (sleeper.until <= time) sleeper.wake();
    },
  };
}

/** A target that only records its starts, each key once. */
export function countingTarget(kind: TriggerTarget['kind'] = 'workflow') {
  const known = new Map<string, string>();
  const deleted = new Set<string>();
  const runs = new Map<string, TargetStart & { run_id: string; permissions: Scope['permissions'] }>();
  /** The error of every start while it is set. */
  const failing: { with?: Error | undefined } = {};
  let calls = 0;
  const target: TriggerTarget = {
    kind,
    exists: async (scope: Scope, id: string) => known.get(id) === scope.workspace_id && !deleted.has(id),
    hasVersion: async (_, id, version_id) => version_id === id,
    async start({ permissions }, start) {
      calls++;
      if (failing.with) throw failing.with;
      const run = runs.get(start.key) ?? { ...start, run_id: randomUUID(), permissions };
      runs.set(start.key, run);
      return run.run_id;
    },
  };
  return {
    target,
    runs,
    deleted,
    failing,
    calls: () => calls,
    /** Creates a record in a workspace; its id is also its only version. */
    make(workspace_id: string): string {
      const id = randomUUID();
      known.set(id, workspace_id);
      return id;
    },
  };
}
