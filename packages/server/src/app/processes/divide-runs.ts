import type { Config } from '../../config.ts';

/** The part of a limit that one of several processes has. All parts together are the limit; some may be 0. */
const partOf = (limit: number, number: number, of: number) => Math.floor(limit / of) + (number <= limit % of ? 1 : 0);

/**
 * The settings for one process of a machine: the runs at once are divided among all. A run that finds no slot in its
 * process waits, and another process with a free one starts it. A process may have no runs, but those that have some have
 * at least one for each workspace, so that none of their slots stays empty while runs of a workspace wait.
 */
export const divideRuns = (config: Config, number: number, of: number): Config => ({
  ...config,
  max_runs: partOf(config.max_runs, number, of),
  max_runs_per_workspace: Math.max(1, partOf(config.max_runs_per_workspace, number, of)),
});
