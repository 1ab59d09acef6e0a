import { notFound } from '@atrium/contract/errors.ts';
import type { NumberedEvent } from '@atrium/contract/runs/events.ts';
import { makeChangeWatch } from '../../../db/change-watch.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import type { Sql } from '../../../db/sql.ts';
import { LeaseLost } from '../../../execution/run-queue.ts';
import { dropWithheldText, isRetraction } from '../../messages/service.ts';
import type { Alongside, RunLog, TimedEvent } from '../ports.ts';
import { hasRun, isPausedAt } from '../store.ts';
import { appendEvents, endExecutedRun, type Holder, readEvents, readTimedEvents } from './run-log-store.ts';

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
}

const keepLive = 2000;
const readAtOnce = 500;

/**
 * Events are stored before they are published. A follower first replays the stored events and then waits for new ones.
 * Followers pull: a slow one is behind and holds no memory but its position.
 */
export function makeRunLog(options: {
  db: Database;
  notifier: Notifier;
  node_id: string;
  /** A further part of the statement that stores the next events of a run. */
  along?(run_id: string): { part: Sql; over(stored: boolean): void } | undefined;
}): RunLog {
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

  /** Throws LeaseLost for a run that this node does not execute. */
  function holderOf(run_id: string): Holder {
    const own = live.get(run_id);
    if (!own) throw new LeaseLost();
    return { node_id, last_seq: own.from + own.events.length };
  }

  /** The events after `seq`, from memory if it reaches back that far. */
  async function after(workspace_id: string, run_id: string, seq: number): Promise<NumberedEvent[]> {
    const own = live.get(run_id);
    if (own && own.from <= seq) return own.events.slice(seq - own.from);
    return readEvents(db, workspace_id, run_id, seq, readAtOnce);
  }

  return {
    open: (run_id, last_seq) => void live.set(run_id, { from: last_seq, events: [] }),
    close: (run_id) => void live.delete(run_id),
    tell: changes.notify,
    leave: changes.close,

    async append(workspace_id, run_id, events, alongside, end) {
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

    async all(workspace_id, run_id) {
      const events: NumberedEvent[] = [];
      for (;;) {
        const page = await readEvents(db, workspace_id, run_id, events.length, readAtOnce);
        events.push(...page);
        if (page.length < readAtOnce) return events;
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

    async *follow(workspace_id, run_id, seq, signal) {
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
        // People may take long to answer: the stream ends, and the client reconnects for the rest.
        if (events.at(-1)?.type === 'run-pause' && (await isPausedAt(db, workspace_id, run_id, seen))) return;
      }
    },
  };
}
