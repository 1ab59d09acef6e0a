import { availableParallelism, totalmem } from 'node:os';

const gigabyte = 1024 ** 3;
const usualMost = 4;

/** The memory that this program may use: of the machine, or of the container. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** How many processes do the work where that is not set. A process needs up to 330 MB, and PostgreSQL a core of its own. */
export function chooseProcesses(cores = availableParallelism(), memory = availableMemory()): number {
  return cores <= 2 || memory < 3 * gigabyte ? 1 : Math.min(cores, usualMost);
}
