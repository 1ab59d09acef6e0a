import type { MachineMetrics } from '../../lib/machine/machine-metrics.ts';

/** Longer than the sum waits for a process that is stuck. */
const patienceMs = 1000;

/** The memory of all server processes here in bytes; of this process alone when there is no sum in a second. */
export async function readMemory(machine: Pick<MachineMetrics, 'sumMemory'> | undefined): Promise<number> {
  const alone = process.memoryUsage.rss();
  if (!machine) return alone;
  const late = new Promise<number>((resolve) => setTimeout(resolve, patienceMs, alone).unref());
  return Promise.race([machine.sumMemory().catch(() => alone), late]);
}
