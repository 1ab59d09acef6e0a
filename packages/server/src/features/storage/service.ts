import { conflict } from '@atrium/contract/errors.ts';
import type { Database, Db } from '../../db/database.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import type { StorageQuota, StorageRoom, StorageState, StoredBytes } from './ports.ts';
import * as store from './store.ts';

/** Each process tells the others every so often what it has stored, and hears what they have. */
const exchangeEvery = 2000;
/** Workspaces that nothing was stored in for so long are read again when they are needed. */
const forgetAfter = 300_000;
/** From this share of its quota on, a workspace is near it. */
const nearShare = 0.9;
/** Charges of files share a statement when they have one limit: it moves in steps of this share of the quota. */
const fileSteps = 256;

const megabytes = (bytes: number) => `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`;

/** All that is stored besides files. */
export const textAndRows = ({ message_bytes, log_bytes, row_bytes, added_bytes }: Omit<StoredBytes, 'waived'>) =>
  message_bytes + log_bytes + row_bytes + added_bytes;

/** How a workspace stands against its quota. `waived`: it kept more than the default when the default came. */
export function stateOf({ bytes, source }: StorageQuota, used: number, waived: boolean): StorageState {
  if (bytes === 0) return 'ok';
  if (waived && source === 'default' && used > bytes) return 'over_default';
  if (used >= bytes) return 'full';
  return used >= bytes * nearShare ? 'near' : 'ok';
}

export interface Storage extends StorageRoom {
  quotaOf(workspace_id: string): Promise<StorageQuota>;
  /** What a workspace keeps, with what this process has not told the others yet. */
  useOf(workspace_id: string): Promise<StoredBytes & { file_bytes: number }>;
  /** Writes what was counted, and reads what other processes have counted. */
  exchange(): Promise<void>;
  close(): Promise<void>;
}

interface Known extends StoredBytes {
  file_bytes: number;
}

interface Entry {
  /** What all processes have told; none until it is read. */
  known: Known | undefined;
  /** Stored by this process and not told yet. */
  pending: number;
  /** As it was when room was last asked for. */
  quota: StorageQuota | undefined;
  used_at: number;
}

const nothing: StoredBytes = {
  ...{ message_bytes: 0, log_bytes: 0, row_bytes: 0, added_bytes: 0, measured_at: null, waived: false },
};

export function makeStorage(deps: {
  db: Database;
  log: Log;
  quotaOf(workspace_id: string): Promise<StorageQuota>;
  /** The bytes of files in each of these workspaces. */
  fileBytes(db: Db, workspace_ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
}): Storage {
  const { db, log, quotaOf, fileBytes } = deps;
  const entries = new Map<string, Entry>();

  function entryOf(workspace_id: string): Entry {
    let entry = entries.get(workspace_id);
    if (!entry) {
      entry = { known: undefined, pending: 0, quota: undefined, used_at: 0 };
      entries.set(workspace_id, entry);
    }
    entry.used_at = Date.now();
    return entry;
  }

  async function read(workspace_id: string): Promise<Known> {
    const entry = entryOf(workspace_id);
    if (entry.known) return entry.known;
    const [stored, files] = await Promise.all([store.findStoredBytes(db, workspace_id), fileBytes(db, [workspace_id])]);
    entry.known ??= { ...(stored ?? nothing), file_bytes: files.get(workspace_id) ?? 0 };
    return entry.known;
  }

  async function exchange(): Promise<void> {
    const asked = new Map<string, number>();
    for (const [workspace_id, entry] of entries) {
      if (entry.pending === 0 && Date.now() - entry.used_at > forgetAfter) entries.delete(workspace_id);
      else asked.set(workspace_id, entry.pending);
    }
    if (asked.size === 0) return;
    try {
      const files = await fileBytes(db, [...asked.keys()]);
      for (const { workspace_id, ...stored } of await store.addStoredBytes(db, asked)) {
        const entry = entries.get(workspace_id);
        if (entry) entry.known = { ...stored, file_bytes: files.get(workspace_id) ?? 0 };
      }
      // What was counted meanwhile stays for the next exchange.
      for (const [workspace_id, bytes] of asked) {
        const entry = entries.get(workspace_id);
        if (entry) entry.pending -= bytes;
      }
    } catch (error) {
      log.warn('storage.exchange_failed', errorFields(error));
    }
  }

  let exchanging: Promise<void> | undefined;
  const exchangeOnce = () => {
    exchanging ??= exchange().finally(() => {
      exchanging = undefined;
    });
    return exchanging;
  };
  const timer = setInterval(() => void exchangeOnce(), exchangeEvery).unref();

  const isFree = (quota: StorageQuota, { waived }: StoredBytes) =>
    quota.bytes === 0 || (waived && quota.source === 'default');

  function requireFit({ known, quota, pending }: Entry, bytes: number): void {
    if (!known || !quota || isFree(quota, known)) return;
    if (textAndRows(known) + known.file_bytes + pending + bytes > quota.bytes)
      throw conflict(
        `This does not fit: this workspace may keep ${megabytes(quota.bytes)} of messages, runs, rows and files; delete some to make room`,
        'quota_reached',
      );
  }

  return {
    quotaOf,
    exchange: exchangeOnce,

    add(workspace_id, bytes) {
      entryOf(workspace_id).pending += bytes;
    },

    async requireRoom(workspace_id, bytes) {
      const quota = await quotaOf(workspace_id);
      entryOf(workspace_id).quota = quota;
      if (quota.bytes === 0) return;
      await read(workspace_id);
      requireFit(entryOf(workspace_id), bytes);
    },

    charge(workspace_id, bytes) {
      const entry = entryOf(workspace_id);
      requireFit(entry, bytes);
      entry.pending += bytes;
    },

    async roomForFiles(workspace_id) {
      const quota = await quotaOf(workspace_id);
      if (quota.bytes === 0) return { most: 0, quota: 0 };
      const known = await read(workspace_id);
      if (isFree(quota, known)) return { most: 0, quota: 0 };
      const step = Math.max(1, Math.floor(quota.bytes / fileSteps));
      const others = textAndRows(known) + entryOf(workspace_id).pending;
      return { most: Math.max(1, quota.bytes - Math.ceil(others / step) * step), quota: quota.bytes };
    },

    async useOf(workspace_id) {
      const [stored, files] = await Promise.all([
        store.findStoredBytes(db, workspace_id),
        fileBytes(db, [workspace_id]),
      ]);
      const { pending } = entryOf(workspace_id);
      const known = stored ?? nothing;
      return { ...known, added_bytes: known.added_bytes + pending, file_bytes: files.get(workspace_id) ?? 0 };
    },

    async close() {
      clearInterval(timer);
      await exchangeOnce();
      await exchangeOnce();
    },
  };
}
