import type { QueuedTraining } from './ingestion-run-store.ts';

/** What is read in no time, and how much of it is read one after the other. */
const [smallBytes, mostBytes, mostDocuments] = [64 * 1024, 512 * 1024, 25];

/**
 * Trainings that share a job. Taking and ending a job costs more than reading a small text, so those go together; as long as
 * there are no fewer jobs than may run at once. What is large, or has to be fetched, has a job of its own.
 */
export function grouped(runs: readonly QueuedTraining[], at_once: number): QueuedTraining[][] {
  const most = Math.min(mostDocuments, Math.ceil(runs.length / at_once));
  const groups: QueuedTraining[][] = [];
  let [open, bytes] = [[] as QueuedTraining[], 0];
  for (const run of runs) {
    if (run.bytes === null || run.bytes > smallBytes) {
      groups.push([run]);
      continue;
    }
    if (open.length === 0 || open.length >= most || bytes + run.bytes > mostBytes) {
      [open, bytes] = [[], 0];
      groups.push(open);
    }
    open.push(run);
    bytes += run.bytes;
  }
  return groups;
}
