import { sandboxEngineNames } from '@atrium/contract/sandboxes/engines.ts';
import type { Database } from '../../../db/database.ts';
import type { SandboxEngines } from '../../../drivers/sandboxes/driver.ts';
import { errorFields, type Log } from '../../../lib/log.ts';
import type { StopNotifier } from '../stop-notifier.ts';
import { findExisting } from './stored-files-store.ts';

/** Longer than it takes to make a sandbox. */
const graceMs = 3_600_000;

interface CopyNeeds {
  db: Database;
  engines: SandboxEngines;
  removedNotifier: StopNotifier;
  log: Log;
}

/** Removes what this node has of sandboxes that are deleted: at once, and at the start those deleted meanwhile. */
export function clearCopies({ db, engines, removedNotifier, log }: CopyNeeds): void {
  const drivers = sandboxEngineNames.flatMap((name) => engines.driver(name) ?? []).filter(({ snapshots }) => snapshots);
  const warn = (error: unknown) => log.warn('sandbox.copy_left', errorFields(error));

  async function removeDeleted(): Promise<void> {
    for (const driver of drivers) {
      const refs = (await driver.snapshots?.list(new Date(Date.now() - graceMs))) ?? [];
      const existing = new Set(await findExisting(db, refs));
      for (const ref of refs) if (!existing.has(ref)) await driver.destroy(ref);
    }
  }

  removedNotifier.on((id) => {
    for (const driver of drivers) driver.destroy(id).catch(warn);
  });
  removeDeleted().catch(warn);
}
