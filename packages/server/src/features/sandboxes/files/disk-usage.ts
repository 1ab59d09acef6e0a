import type { SandboxWithUsage } from '@atrium/contract/sandboxes/schema.ts';
import type { SandboxDriver, SandboxEngines } from '../../../drivers/sandboxes/driver.ts';
import type { SandboxRow } from '../store.ts';

type Usage = Pick<SandboxWithUsage, 'disk_bytes' | 'disk_limit_bytes'>;

/** How much of their disk sandboxes take. */
export interface DiskUsage {
  read(row: SandboxRow): Promise<Usage>;
  /** Measures anew at the next read, since the files were changed. */
  forget(sandbox_id: string): void;
}

const reuseMs = 5000;

/** False when the files here are not the newest: another node has changed them since, or has them alone. */
async function isCurrent({ snapshots }: SandboxDriver, ref: string, files_id: string | null): Promise<boolean> {
  return !snapshots || files_id === null || (await snapshots.current(ref)) === files_id;
}

/**
 * Measures one sandbox at a time and reuses its figure for some seconds: the engine counts files in the thread that
 * also holds running commands to their limits.
 */
export function makeDiskUsage(engines: Pick<SandboxEngines, 'driver' | 'limits'>): DiskUsage {
  const figures = new Map<string, Promise<number | null>>();
  let last: Promise<unknown> = Promise.resolve();

  function measure(id: string, ref: string, usedBytes: (ref: string) => Promise<number | undefined>) {
    const known = figures.get(id);
    if (known) return known;
    const figure = last
      .then(() => usedBytes(ref))
      .then(
        (bytes) => bytes ?? null,
        // The files are gone, or not on this machine.
        () => null,
      );
    last = figure;
    figures.set(id, figure);
    const drop = () => figures.get(id) === figure && figures.delete(id);
    void figure.then(() => setTimeout(drop, reuseMs).unref());
    return figure;
  }

  return {
    async read({ id, engine, ref, files_id }) {
      const driver = engines.driver(engine);
      const usedBytes = driver?.files.usedBytes;
      if (!driver || !usedBytes || ref === null) return { disk_bytes: null, disk_limit_bytes: null };
      const disk_bytes = (await isCurrent(driver, ref, files_id)) ? await measure(id, ref, usedBytes) : null;
      return { disk_bytes, disk_limit_bytes: engines.limits.disk_bytes };
    },
    forget: (sandbox_id) => void figures.delete(sandbox_id),
  };
}
