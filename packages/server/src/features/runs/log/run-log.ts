import { notFound } from '@atrium/contract/errors.ts';
import type { NumberedEvent, RunEvent } from '@atrium/contract/runs/events.ts';
import { makeChangeWatch } from '../../../db/change-watch.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import { LeaseLost } from '../../../execution/run-queue.ts';
import { storeThroughOutage } from '../../../execution/store-through-outage.ts';
import type { Transcript } from '../../conversations/ports.ts';
import { dropWithheldText, isRetraction } from '../../messages/service.ts';
import type { CallRow } from '../../usage/ports.ts';
import type { Alongside, RunLog, TimedEvent } from '../ports.ts';
import { findEnd, isPausedAt } from '../store.ts';
import type { EventAt } from './event-rows.ts';
import { isPassing } from './event-writer.ts';
import { LogRewound } from './log-rewound.ts';
import { endExecutedRun, type RunEnding } from './run-end-store.ts';
import { makeRunLogGroups } from './run-log-group-store.ts';
import { appendEvents, hasStoredEvent, isStoredUpTo, readEvents, readTimedEvents } from './run-log-store.ts';

/** Combines two things that are stored with events. */
export function combineAlongside(first: Alongside | undefined, second: Alongside | undefined): Alongside | undefined {
  if (!first || !second) return first ?? second;
  return async (tx) => {
    await first(tx);
    await second(tx);
  };
}

/** The newest events of a run that this node executes, so that followers need no query. */
interface Live {
  /** The number of the event before the first of these. */
  from: number;
  events: NumberedEvent[];
  /** The number before the first event of this node. */
  base: number;
  /** The last event of the nodes before. Numbers between it and the first of this node belong to no event. */
  before: number;
  /** The number of the last event in the database. */
  stored: number;
  /** Events that are shown and not stored yet, and the workspace of the run. */
  unstored: EventAt[];
  workspace_id?: string;
  /** The end of the run is stored, or is being stored. */
  isEnding: boolean;
  /** The write under way; writes of a run follow one another. */
  writing: Promise<unknown>;
}

const keepLive = 2000;
const readAtOnce = 500;

/**
 * Words are shown to the followers on this node before they are stored, all other events afterwards. A follower first
 * replays the stored events and then waits for new ones. Followers pull: a slow one is behind and holds no memory but its
 * position.
 */
export function makeRunLog(options: {
  db: Database;
  notifier: Notifier;
  node_id: string;
  /** No other node uses this database. */
  alone?: boolean | undefined;
  transcript: Pick<Transcript, 'repliesStatement'>;
  /** Model calls to store with the next events of a run. */
  along?(run_id: string): { calls: readonly CallRow[]; over(stored: boolean): void } | undefined;
}): RunLog {
  const { db, notifier, node_id, alone } = options;
  const groups = makeRunLogGroups(options);
  const live = new Map<string, Live>();
  const changes = makeChangeWatch({ db, notifier, topic: 'run', alone });

  /** Throws LeaseLost for a run that this node does not execute. */
  function held(run_id: string): Live {
    const own = live.get(run_id);
    if (!own) throw new LeaseLost();
    return own;
  }

  function remember(run_id: string, own: Live, events: readonly EventAt[]): void {
    for (const { event } of events) {
      if (isRetraction(event)) own.events = own.events.map(dropWithheldText(event.step));
      own.events.push(event);
    }
    if (own.events.length > keepLive) own.from += own.events.splice(0, own.events.length - keepLive / 2).length;
    changes.wake(run_id);
  }

  /** Gives events the numbers after those that were shown. */
  function numbered(own: Live, events: readonly RunEvent[]): EventAt[] {
    const last = own.from + own.events.length;
    const at = Date.now();
    return events.map((event, index) => ({ event: { ...event, seq: last + 1 + index }, at }));
  }

  interface Written {
    workspace_id: string;
    run_id: string;
    fresh: readonly RunEvent[];
    alongside?: Alongside | undefined;
    end?: RunEnding | undefined;
  }

  async function store(own: Live, { workspace_id, run_id, fresh, alongside, end }: Written): Promise<void> {
    const shown = own.unstored;
    const added = numbered(own, fresh);
    const events = [...shown, ...added];
    const last = events.at(-1);
    if (!last) return;
    own.unstored = [];
    const along = options.along?.(run_id);
    const holder = { node_id, last_seq: own.stored };
    const { calls = [] } = along ?? {};
    const words = !along && fresh.length === 0 && shown.every(({ event }) => isPassing(event));
    const isAlone = !alongside && !events.some(({ event }) => isRetraction(event));
    const log = { workspace_id, run_id, last_seq: own.stored, events };
    /** Together with writes of other runs, where that is possible. */
    const addToGroup = async (): Promise<boolean> => {
      if (!isAlone) return false;
      if (words && !end) return groups.appendWords(log);
      if (!end?.usual || !end.fact || !end.finished_at) return false;
      const { run, usual: reply, fact, finished_at } = end;
      return groups.endCompleted({ ...log, run, reply, fact, finished_at, calls });
    };
    const add = (to: Db) =>
      end
        ? endExecutedRun(to, holder, { events, calls }, end)
        : appendEvents(to, workspace_id, run_id, holder, { events, calls });
    const write = async () => {
      if (await addToGroup()) return;
      if (isAlone) await add(db);
      else
        await db.transaction(undefined, async (tx) => {
          await add(tx);
          await alongside?.(tx);
        });
    };
    let stored = false;
    own.isEnding = end !== undefined;
    try {
      await storeThroughOutage(write, () => isStoredUpTo(db, workspace_id, run_id, last.event.seq));
      stored = true;
    } finally {
      if (!stored) own.isEnding = false;
      along?.over(stored);
      // An end that was called off has stored nothing: the next write does.
      if (!stored) own.unstored = [...shown, ...own.unstored];
    }
    own.stored = last.event.seq;
    if (added.length) remember(run_id, own, added);
    changes.notify(run_id);
  }

  /** Writes of a run follow one another, also those at a shutdown. */
  function append(written: Written): Promise<void> {
    const own = held(written.run_id);
    const done = own.writing.then(() => store(own, written));
    own.writing = done.catch(() => {});
    return done;
  }

  /** The events after `seq` from memory; undefined when it does not reach back that far. */
  function fromMemory(run_id: string, seq: number): NumberedEvent[] | undefined {
    const own = live.get(run_id);
    if (own && own.from <= seq) return own.events.slice(seq - own.from);
    // The event before the gap that the take-over has left in the numbers.
    return own && own.from === own.base && seq === own.before ? [...own.events] : undefined;
  }

  /** The events after `seq` from the database. */
  async function fromDatabase(
    workspace_id: string,
    run_id: string,
    seq: number,
    lost?: 'ignore-lost',
  ): Promise<NumberedEvent[]> {
    const events = await readEvents(db, workspace_id, run_id, seq, readAtOnce);
    const [next] = events;
    // Numbers are left out where a node took the run over: an event before the gap may have been shown and not stored.
    if (lost || seq === 0 || !next || next.seq === seq + 1) return events;
    if (!(await hasStoredEvent(db, workspace_id, run_id, seq))) throw new LogRewound();
    return events;
  }

  /** The rest of a run that is over: its end alone where the log is not kept any more. Undefined while it is not over. */
  async function restOfEnded(workspace_id: string, run_id: string, seen: number, lost?: 'ignore-lost') {
    if (live.has(run_id)) return undefined;
    const run = await findEnd(db, workspace_id, run_id);
    if (!run) throw notFound('run');
    if (run.finished_at === null) return undefined;
    // It may have ended since the last look.
    const rest = await fromDatabase(workspace_id, run_id, seen, lost);
    const status = run.status as 'completed' | 'failed' | 'stopped';
    const end = { type: 'run-end', status, error: run.error, seq: Math.max(seen, run.last_seq) } as const;
    return rest.length ? rest : [end];
  }

  return {
    open: (run_id, last_seq) =>
      void live.set(run_id, {
        ...{
          from: last_seq,
          events: [],
          base: last_seq,
          before: last_seq,
          stored: last_seq,
          unstored: [],
          isEnding: false,
        },
        writing: Promise.resolve(),
      }),
    close: (run_id) => void live.delete(run_id),
    isEnding: (run_id) => live.get(run_id)?.isEnding ?? false,
    tell: changes.notify,
    leave: changes.close,

    async settle() {
      const behind = [...live].flatMap(([run_id, { workspace_id }]) => (workspace_id ? { workspace_id, run_id } : []));
      await Promise.allSettled(behind.map((run) => append({ ...run, fresh: [] })));
    },

    show(workspace_id, run_id, events) {
      const own = held(run_id);
      const shown = numbered(own, events);
      own.workspace_id = workspace_id;
      own.unstored.push(...shown);
      remember(run_id, own, shown);
    },

    append: async (workspace_id, run_id, fresh, alongside, end) =>
      append({ workspace_id, run_id, fresh, alongside, end }),

    async all(workspace_id, run_id) {
      const events: NumberedEvent[] = [];
      for (;;) {
        const page = await readEvents(db, workspace_id, run_id, events.at(-1)?.seq ?? 0, readAtOnce);
        events.push(...page);
        if (page.length >= readAtOnce) continue;
        const own = live.get(run_id);
        // The node that takes a run over reads its log before it adds to it.
        if (own?.events.length === 0) own.before = events.at(-1)?.seq ?? 0;
        return events;
      }
    },

    async timed(workspace_id, run_id, types, lighten = (event) => event) {
      const events: TimedEvent[] = [];
      for (let after = 0; ; ) {
        const page = await readTimedEvents(db, workspace_id, run_id, types, { after, limit: readAtOnce });
        events.push(...page.map(({ event }) => lighten(event)));
        if (page.length < readAtOnce) return events;
        after = page.at(-1)?.seq ?? after;
      }
    },

    async *follow(workspace_id, run_id, seq, signal, lost) {
      let seen = seq;
      while (!signal.aborted) {
        changes.assertOpen();
        let events = fromMemory(run_id, seen) ?? (await fromDatabase(workspace_id, run_id, seen, lost));
        if (events.length === 0) {
          // Listening starts before the second look, so nothing falls between looking and waiting.
          const { changed, cancel } = changes.wait(run_id, signal);
          try {
            events = fromMemory(run_id, seen) ?? (await fromDatabase(workspace_id, run_id, seen, lost));
            if (events.length === 0) {
              const rest = await restOfEnded(workspace_id, run_id, seen, lost);
              if (rest) events = rest;
              else await changed;
            }
          } finally {
            cancel();
          }
        }
        for (const event of events) {
          if (signal.aborted) return;
          yield event;
          seen = event.seq;
          if (event.type === 'run-end') return;
        }
        // People may take long to answer: the stream ends, and the client reconnects for the rest.
        if (events.at(-1)?.type === 'run-pause' && (await isPausedAt(db, workspace_id, run_id, seen))) return;
      }
    },
  };
}
