import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, conflict } from '@atrium/contract/errors.ts';
import type { Database } from '../../../db/database.ts';
import { BlobMissing, type BlobStore } from '../../../drivers/blobs/driver.ts';
import { SandboxFileRefused, SandboxGone, type SandboxSnapshots } from '../../../drivers/sandboxes/driver.ts';
import { newId } from '../../../lib/ids.ts';
import { errorFields, type Log } from '../../../lib/log.ts';
import type { Opened } from '../service.ts';
import type { StopNotifier } from '../stop-notifier.ts';
import type { SandboxRef } from '../store.ts';
import * as store from './stored-files-store.ts';

const [renewEveryMs, askEveryMs, lookWithinMs] = [10_000, 200, 2000];

/** A node's use of the files of a sandbox. */
export interface FilesHold {
  /** Stores the files, if they have changed, and lets other nodes have them. */
  release(): Promise<void>;
}

export interface StoredFiles {
  /** Brings the files here and keeps other nodes from changing them. Undefined when another node has them for too long. */
  take(opened: Opened, wait_ms: number, signal?: AbortSignal): Promise<FilesHold | undefined>;
  /** Brings the files here to be read, as they were when they were stored last. */
  look(opened: Opened): Promise<void>;
  /** Removes the stored files of a sandbox that was deleted, and those that other nodes have brought to them. */
  forget(place: SandboxRef): Promise<void>;
}

interface Deps {
  db: Database;
  blobs: BlobStore;
  log: Log;
  /** Tells other nodes which sandboxes were deleted. */
  removedNotifier: StopNotifier;
  /** Whether nodes have no disk in common, so that the files of sandboxes are stored as blobs. */
  isShared: boolean;
  /** The largest stored state. */
  most_bytes: number;
}

interface Held {
  users: number;
  isLost: boolean;
  /** A use has ended whose files could not be stored, so that the last use has to store them. */
  isUnstored: boolean;
  timer: NodeJS.Timeout;
}

const takenOver = () =>
  conflict('Another node has taken the sandbox over; what was changed in it here is not kept', 'sandbox_taken_over');
const noHold: FilesHold = { release: async () => {} };
const keyOf = ({ row }: Opened) => ({ workspace_id: row.group_id, id: row.id });

/**
 * The files of sandboxes, stored as blobs after each change. One node at a time changes those of a sandbox. What a
 * command did whose node died before its end is lost, and the sandbox is as it was before that command.
 */
export function makeStoredFiles({ db, blobs, log, removedNotifier, isShared, most_bytes }: Deps): StoredFiles {
  const node = newId();
  const holds = new Map<string, Held>();
  const queues = new Map<string, Promise<unknown>>();

  /** One change of the files of a sandbox at a time in this process. */
  function inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const turn = (queues.get(id) ?? Promise.resolve()).then(work, work);
    const settled = turn.catch(() => {});
    queues.set(id, settled);
    settled.then(() => queues.get(id) === settled && queues.delete(id));
    return turn;
  }

  async function bring(snapshots: SandboxSnapshots, opened: Opened, files_id: string): Promise<void> {
    if ((await snapshots.current(opened.ref)) === files_id) return;
    const { group_id, persistent, network } = opened.row;
    await snapshots.unpack({ id: opened.ref, persistent, network }, await blobs.get(group_id, files_id));
    await snapshots.mark(opened.ref, files_id, await snapshots.fingerprint(opened.ref));
  }

  /** Another node may replace the blob between the question and the answer. */
  async function bringNewest(snapshots: SandboxSnapshots, opened: Opened): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const files_id = (await store.findFiles(db, keyOf(opened)))?.files_id;
      if (files_id == null) return;
      try {
        return await bring(snapshots, opened, files_id);
      } catch (error) {
        if (!(error instanceof BlobMissing)) throw error;
        if (attempt === 3) throw new SandboxGone();
      }
    }
  }

  async function deleteBlob(workspace_id: string, id: string | null | undefined): Promise<void> {
    // What stays is removed by the sweep.
    if (id) await blobs.delete(workspace_id, id).catch((error) => log.warn('sandbox.blob_left', errorFields(error)));
  }

  async function save(snapshots: SandboxSnapshots, opened: Opened): Promise<void> {
    const { group_id } = opened.row;
    if (!isShared) {
      // The disk counts from now on.
      const before = await store.setFiles(db, keyOf(opened), node, null);
      return deleteBlob(group_id, before?.files_id);
    }
    // Before packing: a file that a terminal writes meanwhile may be missing in the blob, and is stored at the next save.
    const fingerprint = await snapshots.fingerprint(opened.ref);
    if (!(await snapshots.isChanged(opened.ref, fingerprint))) return;
    const files_id = newId();
    await blobs.put(group_id, files_id, snapshots.pack(opened.ref), most_bytes);
    const before = await store.setFiles(db, keyOf(opened), node, files_id);
    if (before) await snapshots.mark(opened.ref, files_id, fingerprint);
    await deleteBlob(group_id, before ? before.files_id : files_id);
    if (!before) throw takenOver();
  }

  function startHold(opened: Opened): Held {
    const timer = setInterval(() => void renew(), renewEveryMs);
    const held: Held = { users: 0, isLost: false, isUnstored: false, timer };
    held.timer.unref();
    const renew = async () => {
      // An error of the database says nothing about the lease, which `save` asks for.
      held.isLost = !(await store.renewFiles(db, keyOf(opened), node).catch(() => true));
    };
    holds.set(opened.row.id, held);
    return held;
  }

  /** With `store_first` the files are stored first, and the hold is kept until they are. */
  async function endHold(opened: Opened, held: Held, store_first?: () => Promise<void>): Promise<void> {
    holds.delete(opened.row.id);
    try {
      await store_first?.();
    } finally {
      clearInterval(held.timer);
      await store.releaseFiles(db, keyOf(opened), node);
    }
  }

  const warnNotStored = (opened: Opened, error: unknown) =>
    log.warn('sandbox.files_not_stored', {
      ...{ workspace_id: opened.row.group_id, sandbox_id: opened.row.id },
      ...errorFields(error),
    });

  /**
   * Ends a use that only reads. It stores the files if a use that changed them could not. The reader is not told when
   * that fails again, so the log is.
   */
  async function endLook(snapshots: SandboxSnapshots, opened: Opened, held: Held): Promise<void> {
    held.users--;
    if (held.users > 0) return;
    const storeUnstored = async () => {
      if (!held.isUnstored) return;
      if (held.isLost) return warnNotStored(opened, takenOver());
      await save(snapshots, opened).catch((error: unknown) => warnNotStored(opened, error));
    };
    await endHold(opened, held, storeUnstored);
  }

  /** True when the files are here and no other node changes them. */
  const claim = (snapshots: SandboxSnapshots, opened: Opened) =>
    inTurn(opened.row.id, async () => {
      const known = holds.get(opened.row.id);
      if (known?.isLost) return undefined;
      const claimed = known ?? (await store.claimFiles(db, keyOf(opened), node));
      if (!claimed) return undefined;
      const held = known ?? startHold(opened);
      held.users++;
      try {
        if (!known) await bringNewest(snapshots, opened);
        return held;
      } catch (error) {
        await endHold(opened, held);
        throw error;
      }
    });

  const isStored = ({ driver, row }: Opened) => driver.snapshots !== undefined && (isShared || row.files_id !== null);

  return {
    async take(opened, wait_ms, signal) {
      const { snapshots } = opened.driver;
      if (!snapshots || !isStored(opened)) return noHold;
      const until = Date.now() + wait_ms;
      for (;;) {
        const held = await claim(snapshots, opened);
        if (held) {
          const release = () =>
            inTurn(opened.row.id, async () => {
              held.users--;
              const storeAll = async () => {
                if (held.isLost) throw takenOver();
                await save(snapshots, opened);
                held.isUnstored = false;
              };
              if (held.users === 0) return endHold(opened, held, storeAll);
              // Another use goes on and may change files while they are packed: then the end of the last use stores them.
              await storeAll().catch((error: unknown) => {
                if (error instanceof AppError || error instanceof SandboxFileRefused) throw error;
                held.isUnstored = true;
                warnNotStored(opened, error);
              });
            });
          let released: Promise<void> | undefined;
          return {
            release: () => {
              released ??= release();
              return released;
            },
          };
        }
        if (Date.now() > until || signal?.aborted) return undefined;
        await sleep(askEveryMs);
      }
    },

    async look(opened) {
      const { snapshots } = opened.driver;
      if (!snapshots || !isStored(opened)) return;
      const until = Date.now() + lookWithinMs;
      let held = await claim(snapshots, opened);
      for (; !held && Date.now() < until; held = await claim(snapshots, opened)) await sleep(askEveryMs);
      const claimed = held;
      if (claimed) return inTurn(opened.row.id, () => endLook(snapshots, opened, claimed));
      // The process that has them may work in this very folder, so that only what is not here is brought.
      await inTurn(opened.row.id, async () => {
        if ((await snapshots.current(opened.ref)) === undefined) await bringNewest(snapshots, opened);
      });
    },

    async forget({ workspace_id, id, files_id }) {
      await deleteBlob(workspace_id, files_id);
      if (isShared) await removedNotifier.notify(id);
    },
  };
}
