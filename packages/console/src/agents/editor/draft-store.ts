import { type Fault, placeFaults } from '../../forms/field-faults.ts';
import { placeOf, readAt, sameValue } from '../../forms/field-values.ts';
import type { FormField, Values } from '../../forms/form-types.ts';
import * as draft from './draft-state.ts';

interface DraftPorts {
  fields: readonly FormField[];
  save(body: Values, etag: string): Promise<draft.Agent>;
  load(): Promise<draft.Agent>;
  /** The browser's copy of what is not saved; an empty text when all is. */
  keep(text: string): void;
  kept(): string;
  /** How long changes are gathered before they are sent, in milliseconds. */
  pause?: number;
}
interface Failed {
  status?: number;
  code?: string;
  faults?: readonly Fault[];
  body?: { updated_at?: string; updated_by_actor?: { name: string } | null };
}

/** What the browser kept; a text of another make is left alone. */
function readKept(text: string): { etag: string; changes: draft.Change[] } | undefined {
  try {
    const { etag, changes } = JSON.parse(text || '{}');
    return Array.isArray(changes) && changes.every(({ path }) => Array.isArray(path)) ? { etag, changes } : undefined;
  } catch {
    return undefined;
  }
}

/** Etags rise: `<ms>-<seq>`. An answer that began before the last save may come after it. */
function isOlder(one: string, other: string): boolean {
  const [[ms = 0, seq = 0], [otherMs = 0, otherSeq = 0]] = [one, other].map((etag) => etag.split('-').map(Number)) as [
    number[],
    number[],
  ];
  return ms < otherMs || (ms === otherMs && seq < otherSeq);
}

export type DraftStore = ReturnType<typeof makeDraftStore>;

/** An agent's draft while it is edited: every change is kept in the browser at once and saved within a second. */
export function makeDraftStore(first: draft.Agent, ports: DraftPorts) {
  const { fields, pause = 600 } = ports;
  let state = draft.beginState(first);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> | undefined;
  let attempts = 0;
  const listeners = new Set<() => void>();
  const fieldAt = new Map(fields.map((field) => [placeOf(field), field]));

  function set(next: Partial<draft.DraftState>): void {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  }
  function keep(): void {
    const changes = [...state.pending.values()];
    ports.keep(changes.length ? JSON.stringify({ etag: state.agent.etag, changes }) : '');
  }
  const plan = (ms = pause) => {
    if (timer === undefined) timer = setTimeout(() => void flush(), ms);
  };

  /** Takes the server's state as it is now; what is not saved stays over it. */
  function rebase(
    agent: draft.Agent,
    pending: ReadonlyMap<string, draft.Change>,
    more: Partial<draft.DraftState> = {},
  ) {
    const values = draft.overlay(agent, pending.values());
    set({ agent, pending, values, published: draft.publishedOf(agent), ...more });
    keep();
  }

  function write(field: FormField, value: unknown): void {
    const place = placeOf(field);
    const { [place]: _, ...faults } = Object.fromEntries(state.faults);
    const pending = new Map(state.pending);
    pending.delete(place);
    const isStored = sameValue(field, readAt(draft.draftOf(state.agent), field.path), value);
    if (!isStored || saving) pending.set(place, { path: field.path, value, label: field.label });
    const status = state.conflict ? 'conflict' : pending.size ? 'waiting' : 'saved';
    rebase(state.agent, pending, { faults: new Map(Object.entries(faults)), status, failure: undefined });
    if (pending.size) plan();
  }

  async function meetConflict(sent: ReadonlyMap<string, draft.Change>, body: Failed['body']): Promise<void> {
    const theirs = await ports.load();
    const now = draft.draftOf(theirs);
    const isThere = [...sent].every(([place, { path, value }]) => {
      const field = fieldAt.get(place);
      return field && sameValue(field, readAt(now, path), value);
    });
    // The answer to an earlier save was lost on its way: the server has it.
    if (isThere) return settle(theirs, sent);
    set({
      status: 'conflict',
      conflict: {
        theirs,
        by: body?.updated_by_actor?.name ?? theirs.draft?.by_actor?.name ?? undefined,
        at: body?.updated_at ?? theirs.last_updated_at,
        mine: [...state.pending.values()],
        others: draft.differences(fields, draft.draftOf(state.agent), now),
      },
    });
  }

  function settle(agent: draft.Agent, sent: ReadonlyMap<string, draft.Change>): void {
    const left = new Map([...state.pending].filter(([place, change]) => sent.get(place) !== change));
    attempts = 0;
    rebase(agent, left, { status: left.size ? 'waiting' : 'saved', failure: undefined });
  }

  async function meetFailure(error: unknown, sent: ReadonlyMap<string, draft.Change>): Promise<void> {
    const { status, code, faults = [], body } = error as Failed;
    if (code === 'etag_mismatch') return meetConflict(sent, body);
    if (status === 422) {
      const { byPlace, others } = placeFaults(faults, fields);
      const texts = new Map([...byPlace].map(([place, { text }]) => [place, text]));
      const known = [...texts.keys()].some((place) => sent.has(place));
      set({
        faults: new Map([...state.faults, ...texts]),
        faultPaths: new Map([...state.faultPaths, ...[...byPlace].map(([place, { path }]) => [place, path] as const)]),
        status: 'failed',
        failure: known && !others.length ? undefined : error,
      });
      // The other changes of this save have nothing wrong with them.
      if (known && draft.sendable(state).size) plan();
    } else if (code === 'settings_locked') set({ status: 'locked', failure: error });
    else if (status === undefined || [0, 429, 502, 503, 504].includes(status)) {
      set({ status: 'offline', failure: error });
      plan(Math.min(15_000, 500 * 2 ** attempts++));
    } else set({ status: 'failed', failure: error });
  }

  async function send(): Promise<void> {
    const sent = draft.sendable(state);
    if (sent.size === 0 || state.conflict) return;
    set({ status: 'saving' });
    try {
      settle(await ports.save(draft.bodyOfChanges(sent), state.agent.etag), sent);
    } catch (error) {
      await meetFailure(error, sent).catch((failure) => set({ status: 'failed', failure }));
    }
  }

  /** Saves what waits now; resolves when nothing is under way. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (saving) return saving.then(flush);
    saving = send();
    await saving;
    saving = undefined;
    if (state.status === 'waiting' && draft.sendable(state).size) plan();
  }

  function step(from: 'past' | 'future'): void {
    const command = state[from].at(-1);
    if (!command) return;
    const { past, future } = state;
    set(
      from === 'past'
        ? { past: past.slice(0, -1), future: [...future, command] }
        : { past: [...past, command], future: future.slice(0, -1) },
    );
    write(command.field, from === 'past' ? command.before : command.after);
  }

  const store = {
    get: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    change(field: FormField, value: unknown): void {
      const before = readAt(state.values, field.path);
      const past = draft.withCommand(state.past, { field, before, after: value, at: Date.now() });
      set({ past, future: [] });
      write(field, value);
    },
    /** Turns a lock on, with the reason that those who find it on will read. */
    async lock(field: FormField, reason: string): Promise<void> {
      write(field, true);
      const path = ['lock_reason'];
      if (reason) rebase(state.agent, new Map([...state.pending, ['lock_reason', { path, value: reason, label: '' }]]));
      await flush();
    },
    takeBack: (field: FormField) => store.change(field, readAt(state.published, field.path) ?? null),
    undo: () => step('past'),
    redo: () => step('future'),
    flush,
    /** A newer state from the server. What waits here stays over it, unless both changed the same: the save tells then. */
    adopt(agent: draft.Agent): void {
      const { pending, status } = state;
      if (saving || state.conflict || agent.etag === state.agent.etag) return;
      if (isOlder(agent.etag, state.agent.etag)) return;
      if (pending.size === 0) {
        rebase(agent, pending, { status: 'saved', failure: undefined });
        return;
      }
      const theirs = draft.differences(fields, draft.draftOf(state.agent), draft.draftOf(agent));
      if (theirs.some(({ field }) => pending.has(placeOf(field)))) return;
      // What a lock refused is tried again: the lock may be gone.
      rebase(agent, pending, status === 'locked' ? { status: 'waiting', failure: undefined } : {});
      if (status === 'locked') plan();
    },
    /** After a conflict: saves mine over theirs, or drops mine. */
    async resolve(choice: 'mine' | 'theirs'): Promise<void> {
      const { conflict, pending } = state;
      if (!conflict) return;
      rebase(conflict.theirs, choice === 'mine' ? pending : new Map(), { conflict: undefined, status: 'waiting' });
      if (choice === 'mine') await flush();
      else set({ status: 'saved', faults: new Map(), past: [], future: [] });
    },
    /** Drops what was refused, so that the fields show what the server has. */
    dropPending(): void {
      rebase(state.agent, new Map(), { status: 'saved', faults: new Map(), failure: undefined });
    },
  };

  const kept = readKept(ports.kept());
  if (kept) {
    const { etag, changes } = kept;
    const pending = new Map(changes.map((change) => [change.path.join('.'), change]));
    state = { ...state, pending, values: draft.overlay(first, changes), status: 'waiting' };
    if (etag === first.etag) plan(0);
    else void meetConflict(pending, undefined).catch(() => plan());
  }
  return store;
}
