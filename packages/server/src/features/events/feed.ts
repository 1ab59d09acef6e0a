import type { ActorName } from '@atrium/contract/actor.ts';
import type { LiveEvent } from '@atrium/contract/events/schema.ts';
import type { Database } from '../../db/database.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import type { Frame } from '../../lib/responses/sse-frame.ts';
import type { Principal, Scope } from '../../lib/scope.ts';
import type { NameActors, RecordRights } from './ports.ts';
import { mostWaiting, type ReaderQueue } from './reader.ts';
import { makeEventSelection } from './select-events.ts';
import * as store from './store.ts';

/** One open stream. */
export interface Reader {
  /** The caller, with the rights that it has now. */
  scope: Scope;
  queue: ReaderQueue;
  /** Whether the client asked for this event. */
  wants(row: Pick<store.EventRow, 'event' | 'kind'>): boolean;
  /** The number of the last event that it has, or need not be sent. */
  seq: number;
}

export interface FeedDeps {
  db: Database;
  log: Log;
  rights: RecordRights;
  nameActors: NameActors;
}

/** The readers of one workspace on this node: events are read once for all of them. */
export interface Feed {
  /** Sends what the reader missed after an event, if all of it is there, and then what happens from now on. */
  join(reader: Reader, after: number | undefined): Promise<void>;
  leave(reader: Reader): void;
  /** There may be new events. */
  wake(): void;
  readonly size: number;
}

const atOnce = 500;

export const frameOf = (id: number, event: LiveEvent): Frame => ({ id: String(id), data: JSON.stringify(event) });

/** A frame that is about the stream itself. */
export const noticeOf = (id: number, event: 'ready' | 'reset', data: LiveEvent['data'] = {}): Frame =>
  frameOf(id, {
    ...{ event, kind: null, target_id: null, parent: null, actor: null, at: new Date().toISOString(), data },
  });

function present(row: store.EventRow, nameOf: (id: string) => ActorName): Frame {
  const { seq, event, kind, target_id, parent_kind, parent_id, actor_id, created_at: at, data } = row;
  const parent = parent_kind && parent_id ? { kind: parent_kind, id: parent_id } : null;
  return frameOf(seq, { event, kind, target_id, parent, actor: actor_id ? nameOf(actor_id) : null, at, data });
}

/** Rights that come from a cache are the same object while they do not change. */
const hasSameRights = (a: Principal, b: Principal) =>
  (a.permissions === b.permissions && a.own_conversations === b.own_conversations && a.wide_reach === b.wide_reach) ||
  rightsKey(a) === rightsKey(b);

const rightsKey = ({ permissions, own_conversations, wide_reach }: Principal) =>
  `${[...permissions].sort().join()} ${own_conversations ?? ''} ${wide_reach ?? ''}`;

/** Gives the reader the rights that its caller has now, and says whether they differ. Throws when it may not read on. */
async function refresh(reader: Reader, workspace_id: string): Promise<boolean> {
  const { request_id, log, signal, authorize } = reader.scope;
  if (!authorize) return false;
  const now = await authorize();
  if (now.workspace_id !== workspace_id) throw new Error('The caller acts in another workspace now');
  const isChanged = !hasSameRights(now, reader.scope);
  reader.scope = { ...now, request_id, log, signal, authorize };
  return isChanged;
}

export function makeFeed({ db, log, rights, nameActors }: FeedDeps, workspace_id: string, position: number): Feed {
  const readers = new Set<Reader>();
  let joining = 0;
  let seq = position;
  let isDirty = false;
  /** Joining and delivering take turns, so that a reader neither misses an event nor gets it twice. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  };

  async function deliver(rows: readonly store.EventRow[], to: Iterable<Reader>): Promise<void> {
    const all = [...to];
    const [first] = all;
    if (!first || rows.length === 0) return;
    const select = await makeEventSelection(rights, workspace_id, rows);
    const nameOf = await nameActors(
      first.scope,
      rows.map(({ actor_id }) => actor_id),
    );
    const frames = new Map(rows.map((row) => [row, present(row, nameOf)]));
    const last = rows.at(-1)?.seq ?? 0;
    await Promise.all(all.map((reader) => deliverTo(reader, select, frames, last)));
  }

  /** Any trouble cuts the reader off: it comes back with the last id that it has, and nothing is left out. */
  async function deliverTo(
    reader: Reader,
    select: Awaited<ReturnType<typeof makeEventSelection>>,
    frames: ReadonlyMap<store.EventRow, Frame>,
    last: number,
  ): Promise<void> {
    try {
      const isChanged = await refresh(reader, workspace_id);
      const seen = await select(reader.scope);
      const sent = seen
        .filter((row) => row.seq > reader.seq && reader.wants(row))
        .map((row) => frames.get(row) as Frame);
      const notices = isChanged ? [noticeOf(reader.seq, 'reset', { reason: 'rights' })] : [];
      if (sent.length + notices.length > 0) reader.queue.push([...notices, ...sent]);
      reader.seq = Math.max(reader.seq, last);
    } catch (error) {
      reader.queue.cutOff(error instanceof Error ? error.message : 'The reader may not go on');
    }
  }

  async function readOn(): Promise<void> {
    isDirty = false;
    for (;;) {
      const rows = await store.listEvents(db, workspace_id, { after: seq, limit: atOnce });
      await deliver(rows, readers);
      seq = rows.at(-1)?.seq ?? seq;
      if (rows.length < atOnce) return;
    }
  }

  return {
    async join(reader, after) {
      joining++;
      await inTurn(async () => {
        const { first_seq, last_seq } = await store.findFeed(db, workspace_id);
        const isKnown = after !== undefined && after >= first_seq - 1 && after <= last_seq;
        const missed = isKnown
          ? await store.listEvents(db, workspace_id, { after, through: seq, limit: mostWaiting })
          : [];
        // A client that is here for the first time has missed nothing.
        if (isKnown && missed.length < mostWaiting) {
          reader.seq = after;
          await deliver(missed, [reader]);
        } else {
          reader.seq = seq;
          reader.queue.push([
            after === undefined ? noticeOf(seq, 'ready') : noticeOf(seq, 'reset', { reason: 'missed' }),
          ]);
        }
        readers.add(reader);
      }).finally(() => {
        joining--;
      });
    },

    leave: (reader) => void readers.delete(reader),

    wake() {
      if (isDirty) return;
      isDirty = true;
      inTurn(readOn).catch((error) => log.warn('events.not-read', { workspace_id, ...errorFields(error) }));
    },

    get size() {
      return readers.size + joining;
    },
  };
}
