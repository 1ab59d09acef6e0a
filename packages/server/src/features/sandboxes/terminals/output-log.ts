import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../db/database.ts';
import type { TerminalKey } from './store.ts';
import { deleteOutputBefore, insertOutput } from './transfer-store.ts';

/** The characters of output that are kept for readers who join later. */
const kept = 256 * 1024;
/** Old output is deleted when there is this much more. */
const slack = 64 * 1024;
/** Output is gathered for this long, and no more than this much: a program that writes without an end is slowed down. */
const [gatherMs, mostGathered] = [25, 64 * 1024];

/** Stores the output of one terminal for its readers, on whatever node they are. */
export interface OutputLog {
  /** Resolves when there is room for more. */
  add(data: Uint8Array): Promise<void>;
  /** Stores what is left. */
  close(): Promise<void>;
}

export function makeOutputLog(db: Database, key: TerminalKey, onStored: () => Promise<void>): OutputLog {
  const decoder = new TextDecoder();
  let gathered = '';
  let seq = 0;
  let [length, deleted] = [0, 0];
  let storing: Promise<void> | undefined;
  let failure: unknown;

  async function store(): Promise<void> {
    const text = gathered;
    gathered = '';
    if (text === '') return;
    seq++;
    await insertOutput(db, key, { seq, text, start_at: length });
    length += text.length;
    if (length - deleted > kept + slack) {
      deleted = length - kept;
      await deleteOutputBefore(db, key, deleted);
    }
    await onStored();
  }

  function storeSoon(): Promise<void> {
    storing ??= sleep(gatherMs)
      .then(store)
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => {
        storing = undefined;
        // It came while the piece before was being stored.
        if (gathered !== '' && !failure) void storeSoon();
      });
    return storing;
  }

  return {
    async add(data) {
      if (failure) throw failure;
      // The database takes no null characters, and terminals ignore them.
      gathered += decoder.decode(data, { stream: true }).replaceAll('\0', '');
      const stored = storeSoon();
      if (gathered.length > mostGathered) await stored;
    },
    async close() {
      while (storing) await storing;
      if (failure) throw failure;
      gathered += decoder.decode();
      await store();
    },
  };
}
