import type { Database } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import { plainText } from '../../lib/text/plain-text.ts';
import type { ModelCallRecord, StoredPrompt } from '../model-calls/ports.ts';
import { type CallRow, insertCalls } from './call-store.ts';

export type Ledger = ReturnType<typeof makeLedger>;

/** How often calls that no run writes along are stored. */
const every = 500;
/** Calls that no write to the log has taken along by then, as those made after the end of a run, are stored too. */
const waitsFor = 2000;
/** A database that is away for long must not fill the memory. */
const most = 50_000;
const mostRuns = 10_000;
const mostPrompts = 1000;

interface Pending {
  row: CallRow;
  since: number;
  /** A statement that is under way stores it; a second one would wait for the first, and hold up what it has besides. */
  taken: boolean;
}

/** The run of a call, and the step of it: calls outside of conversations belong to the step that their caller works in. */
function placeOf({ caller: { within }, context }: ModelCallRecord) {
  const run_id = context?.run_id ?? within?.run_id ?? null;
  return { run_id, parent_step_id: within && within.run_id === run_id ? plainText(within.step_id) : null };
}

const rowOf = ({ caller, context, usage, attempt, ...call }: ModelCallRecord): CallRow => ({
  id: attempt?.number === 1 ? attempt.first_id : newId(),
  workspace_id: caller.workspace_id,
  at: new Date(call.started_at).toISOString(),
  purpose: call.purpose,
  model: call.model,
  agent_id: context?.agent_id ?? null,
  version_id: context?.version_id ?? null,
  conversation_id: context?.conversation_id ?? null,
  ...placeOf({ caller, context, usage, ...call }),
  first_try_id: attempt?.first_id ?? null,
  attempt: Math.min(attempt?.number ?? 1, 32_767),
  actor_kind: caller.actor?.kind ?? 'system',
  // The platform itself has no actor id.
  actor_id: caller.actor && caller.actor.kind !== 'system' ? caller.actor.id : null,
  user_id: caller.user_id ?? null,
  person_id: caller.person_id ?? (caller.actor?.kind === 'person' ? caller.actor.id : null),
  ...usage,
  cost: call.cost,
  ms: call.ms,
  ttft_ms: call.ttft_ms,
  status: call.status,
  estimated: call.estimated,
});

/**
 * Stores every model call. Calls of a run are written with the next write to the run's log, so that they need no
 * statement of their own; calls outside runs are written in batches.
 */
export function makeLedger(options: {
  db: Database;
  log: Log;
  /** Stores the prompts of runs; undefined: they are not stored. */
  keepPrompts?: ((prompts: readonly StoredPrompt[]) => Promise<void>) | undefined;
}) {
  const { db, log, keepPrompts } = options;
  const pending = new Map<string, Pending>();
  const ofRun = new Map<string, Set<string>>();
  /** When runs in progress produced their first token; runs that went to another node leave theirs behind. */
  const firstWords = new LruCache<string, number>({ max: mostRuns });
  let told: StoredPrompt[] = [];
  let writing: Promise<void> | undefined;
  let keeping: Promise<void> | undefined;

  function forget(rows: readonly CallRow[]): void {
    for (const { id, run_id } of rows) {
      pending.delete(id);
      const left = run_id === null ? undefined : ofRun.get(run_id);
      left?.delete(id);
      if (run_id !== null && left?.size === 0) ofRun.delete(run_id);
    }
  }

  function noteFirstWord(run_id: string, { purpose, ttft_ms, started_at }: ModelCallRecord): void {
    if (purpose !== 'reply' || ttft_ms === null || firstWords.has(run_id)) return;
    firstWords.set(run_id, started_at + ttft_ms);
  }

  /** Takes calls for one statement, which reports whether it has stored them. */
  function take(some: readonly Pending[]) {
    const rows = some.map(({ row }) => row);
    for (const one of some) one.taken = true;
    return {
      rows,
      over(stored: boolean): void {
        if (stored) forget(rows);
        for (const one of some) one.taken = false;
      },
    };
  }

  async function write(some: readonly Pending[]): Promise<void> {
    if (some.length === 0) return;
    const { rows, over } = take(some);
    let stored = false;
    try {
      await insertCalls(db, rows);
      stored = true;
    } finally {
      over(stored);
    }
  }

  const free = () => [...pending.values()].filter(({ taken }) => !taken);
  const due = (now: number) =>
    free().filter(({ row, since }) => row.run_id === null || row.conversation_id === null || now - since >= waitsFor);

  function flush(some = due(Date.now())): Promise<void> {
    writing ??= write(some)
      .catch((error) => log.warn('What models were asked was not stored yet', errorFields(error)))
      .finally(() => {
        writing = undefined;
      });
    return writing;
  }

  /** Off the way of the runs: a prompt that is lost with the process is no great loss. */
  function flushPrompts(): Promise<void> {
    const some = told;
    told = [];
    keeping ??= (keepPrompts?.(some) ?? Promise.resolve())
      .catch((error) => log.warn('What models were told was not stored', errorFields(error)))
      .finally(() => {
        keeping = undefined;
      });
    return keeping;
  }

  const timer = setInterval(() => {
    if (pending.size > 0) void flush();
    if (told.length > 0 && !keeping) void flushPrompts();
  }, every).unref();

  return {
    record(call: ModelCallRecord): void {
      if (pending.size >= most) return;
      const row = rowOf(call);
      pending.set(row.id, { row, since: Date.now(), taken: false });
      if (row.run_id === null) return;
      noteFirstWord(row.run_id, call);
      const { request, answer = '', error = null } = call;
      const { id: call_id, workspace_id, run_id } = row;
      if (keepPrompts && request && told.length < mostPrompts)
        told.push({ call_id, workspace_id, run_id, request, answer, error });
      const others = ofRun.get(row.run_id);
      if (others) others.add(row.id);
      else ofRun.set(row.run_id, new Set([row.id]));
    },

    /** The calls of a run since its last write to the log. The caller reports through `over` whether they are stored. */
    along(run_id: string): { calls: readonly CallRow[]; over(stored: boolean): void } | undefined {
      const some = [...(ofRun.get(run_id) ?? [])].flatMap((id) => pending.get(id) ?? []).filter(({ taken }) => !taken);
      if (some.length === 0) return undefined;
      const { rows, over } = take(some);
      return { calls: rows, over };
    },

    /** Milliseconds from the beginning of a run that ends now to its first word; null when there was none. */
    firstWord({ id, started_at, created_at }: { id: string; started_at: string | null; created_at: string }) {
      const at = firstWords.get(id);
      firstWords.delete(id);
      return at === undefined ? null : Math.max(0, at - Date.parse(started_at ?? created_at));
    },

    async close(): Promise<void> {
      clearInterval(timer);
      await Promise.all([writing, keeping]);
      await flush(free());
      if (told.length > 0) await flushPrompts();
    },
  };
}
