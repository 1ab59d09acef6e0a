import { conflict } from '@atrium/contract/errors.ts';
import type { Database } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { LoadedConversation } from '../../conversations/ports.ts';
import { findRunByRequestKey, type RunRow } from '../store.ts';

/** A run that a request began, or that an earlier one with the same Idempotency-Key did. */
export interface Begun {
  run: RunRow;
  joined: boolean;
  /** The conversation as it was when it took the message, where that is known. */
  held?: LoadedConversation | undefined;
}

/** Starts one run for each Idempotency-Key, for any number of requests. */
export function makeOnce(db: Database) {
  /** The run of the first request with this Idempotency-Key; another request under the same key is refused. */
  async function earlier(scope: Scope): Promise<RunRow | undefined> {
    if (!scope.request_key) return undefined;
    const { key, fingerprint } = scope.request_key;
    const run = await findRunByRequestKey(db, scope.workspace_id, scope.actor.id, key);
    if (run && !run.request_fingerprint.equals(fingerprint))
      throw conflict('This Idempotency-Key was used for another request', 'idempotency_key_reused');
    return run;
  }

  /** Begins a run once for each Idempotency-Key. Of two requests at the same moment the second is joined to the first. */
  async function once(scope: Scope, begin: () => Promise<Omit<Begun, 'joined'>>): Promise<Begun> {
    const before = await earlier(scope);
    if (before) return { run: before, joined: true };
    try {
      return { ...(await begin()), joined: false };
    } catch (error) {
      const first = await earlier(scope);
      if (first) return { run: first, joined: true };
      throw error;
    }
  }

  return { earlier, once };
}
