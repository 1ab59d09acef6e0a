import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseProcesses } from '../../config/processes.ts';
import { loadConfig } from '../../config.ts';
import { divideRuns } from './divide-runs.ts';

test('divides limits of runs so that the parts are the whole, but gives each process a run of a workspace', () => {
  for (const limit of [1, 2, 3, 7, 200])
    for (const processes of [2, 3, 4]) {
      const config = loadConfig({ ATRIUM_MAX_RUNS: String(limit), ATRIUM_MAX_RUNS_PER_WORKSPACE: String(limit) });
      const parts = Array.from({ length: processes }, (_, index) => divideRuns(config, index + 1, processes));
      const sum = (field: 'max_runs' | 'max_runs_per_workspace') => parts.reduce((all, part) => all + part[field], 0);
      assert.deepEqual([sum('max_runs'), sum('max_runs_per_workspace')], [limit, Math.max(limit, processes)]);
      assert.ok(parts.every((part) => part.max_runs_per_workspace >= 1));
      assert.ok(Math.max(...parts.map(({ max_runs }) => max_runs)) - Math.min(...parts.map((p) => p.max_runs)) <= 1);
    }
});

test('chooses as many processes as there are cores but four at most, and one on a small machine', () => {
  const gigabyte = 1024 ** 3;
  const chosen = [1, 2, 3, 4, 64].map((cores) => chooseProcesses(cores, 16 * gigabyte));
  assert.deepEqual(chosen, [1, 1, 3, 4, 4]);
  assert.equal(chooseProcesses(8, 2.9 * gigabyte), 1);
  assert.equal(chooseProcesses(8, 3 * gigabyte), 4);
  assert.equal(loadConfig({ ATRIUM_PROCESSES: '7' }).processes, 7);
});
