import type { QueuedTraining } from '../ports.ts';

/** How large a small document is, and how much of them one job trains. */
const [smallBytes, mostBytes, mostDocuments] = [64 * 1024, 512 * 1024, 25];

/**
 * Groups trainings into jobs. Small documents share a job, because a job costs more than reading a small text, but there
 * are always enough jobs to train `at_once` in parallel. Large documents and web addresses have a job of their own.
 */
export function groupTrainings(runs: readonly QueuedTraining[], at_once: number): QueuedTraining[][] {
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
