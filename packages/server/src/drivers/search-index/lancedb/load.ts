import { availableParallelism } from 'node:os';

/** With as few threads as two cores give it, building an index of some thousand rows waits for itself for ever. */
const leastThreads = 8;

let loaded: Promise<typeof import('@lancedb/lancedb') & { arrow: typeof import('apache-arrow') }> | undefined;

/** The library, loaded when the first index is used: it takes 90 MB. It reads these two variables when it is. */
export function loadLance() {
  loaded ??= (async () => {
    process.env['LANCEDB_LOG'] ??= 'error';
    process.env['LANCE_CPU_THREADS'] ??= String(Math.max(leastThreads, availableParallelism()));
    const [lance, arrow] = await Promise.all([import('@lancedb/lancedb'), import('apache-arrow')]);
    return { ...lance, arrow };
  })();
  return loaded;
}

export type Lance = Awaited<ReturnType<typeof loadLance>>;
