import { notFound } from '@atrium/contract/errors.ts';
import type { NumberedEvent, RunEvent } from '@atrium/contract/runs/events.ts';
import { makeChangeWatch } from '../../../db/change-watch.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import type { Sql } from '../../../db/sql.ts';
import { LeaseLost } from '../../../execution/run-queue.ts';
import { dropWithheldText, isRetraction } from '../../messages/service.ts';
import { hasRun, isPausedAt } from '../store.ts';
import { endExecutedRun, type RunEnding } from './end-run-store.ts';
import { appendEvents, type Holder, readEvents } from './event-store.ts';

/** Something that is stored together with events or not at all. */
export type Alongside = (tx: Db) => Promise<void>;

/** Both, or the one there is. */
export function together(first: Alongside | undefined, second: Alongside | undefined): Alongside | undefined {
  if (!first || !second) return first ?? second;
  return async (tx) => {
    await first(tx);
    await second(tx);
  };
}

export type RunLog = ReturnType<typeof makeRunLog>;

/** The newest events of a run that is executed here, so that those who follow it need not ask the database. */
interface Live {
  /** The number of the event before the first of these. */
  from: number;
  events: NumberedEvent[];
}

const keepLive = 2000;
const readAtOnce = 500;

/**
 * The append-only list of a run. Events are in the database before anybody is told of them; whoever follows first
 * replays what is there and then waits. Followers pull: a slow one is simply behind and holds nothing but its place.
 */
export function makeRunLog(options: {
  db: Database;
  notifier: Notifier;
  node_id: string;
  /** What is stored with the next events of a run, in their statement. */
  along?(run_id: string): { part: Sql; over(stored: boolean): void } | undefined;
}) {
  const { db, notifier, node_id } = options;
  const live = new Map<string, Live>();
  const changes = makeChangeWatch({ db, notifier, topic: 'run' });

  function remember(run_id: string, events: NumberedEvent[]): void {
    changes.notify(run_id);
    const own = live.get(run_id);
    if (!own) return;
    for (const { step } of events.filter(isRetraction)) own.events = own.events.map(dropWithheldText(step));
    own.events.push(...events);
    if (own.events.length > keepLive) own.from += own.events.splice(0, own.events.length - keepLive / 2).length;
    changes.wake(run_id);
  }

  /** A run that is not executed here can't be written to from here. */
  function holderOf(run_id: string): Holder {
    const own = live.get(run_id);
    if (!own) throw new LeaseLost();
    return { node_id, last_seq: own.from + own.events.length };
  }

  /** What follows a place, from memory where it reaches back that far. */
  async function after(workspace_id: string, run_id: string, seq: number): Promise<NumberedEvent[]> {
    const own = live.get(run_id);
    if (own && own.from <= seq) return own.events.slice(seq - own.from);
    return readEvents(db, workspace_id, run_id, seq, readAtOnce);
  }

  return {
    /** This node executes the run from now on. */
    open: (run_id: string, last_seq: number) => void live.set(run_id, { from: last_seq, events: [] }),
    close: (run_id: string) => void live.delete(run_id),

    /** Somebody else has written to this run. */
    tell: changes.notify,

    /** Nobody is told anything here any more: whoever watches is cut off and can resume elsewhere. */
    leave: changes.close,

    /** Stores events, the last ones together with the end of the run, and then tells of them. */
    async append(
      workspace_id: string,
      run_id: string,
      events: readonly RunEvent[],
      alongside?: Alongside,
      end?: RunEnding,
    ): Promise<void> {
      if (events.length === 0) return;
      const along = options.along?.(run_id);
      const add = (to: Db) =>
        end
          ? endExecutedRun(to, holderOf(run_id), events, end, along?.part)
          : appendEvents(to, workspace_id, run_id, holderOf(run_id), events, along?.part);
      const more = alongside || events.some(isRetraction);
      let added: NumberedEvent[] | undefined;
      try {
        added = more
          ? await db.transaction(undefined, async (tx) => {
              const numbered = await add(tx);
              await alongside?.(tx);
              return numbered;
            })
          : await add(db);
      } finally {
        along?.over(added !== undefined);
      }
      remember(run_id, added);
    },

    /** Everything that has happened so far. */
    async all(workspace_id: string, run_id: string): Promise<NumberedEvent[]> {
      const events: NumberedEvent[] = [];
      for (;;) {
        const page = await readEvents(db, workspace_id, run_id, events.length, readAtOnce);
        events.push(...page);
        if (page.length < readAtOnce) return events;
      }
    },

    /** Everything after `seq`, then what comes, until the run is over or waits for people, or the reader leaves. */
    async *follow(
      workspace_id: string,
      run_id: string,
      seq: number,
      signal: AbortSignal,
    ): AsyncGenerator<NumberedEvent> {
      let seen = seq;
      while (!signal.aborted) {
        changes.assertOpen();
        let events = await after(workspace_id, run_id, seen);
        if (events.length === 0) {
          // Listening starts before the second look, so nothing falls between looking and waiting.
          const { changed, cancel } = changes.wait(run_id, signal);
          try {
            events = await after(workspace_id, run_id, seen);
            if (events.length === 0) {
              if (!live.has(run_id) && !(await hasRun(db, workspace_id, run_id))) throw notFound('run');
              await changed;
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
        // Nobody knows when people will answer: whoever watches is let go, and comes back for the rest.
        if (events.at(-1)?.type === 'run-pause' && (await isPausedAt(db, workspace_id, run_id, seen))) return;
      }
    },
  };
}
