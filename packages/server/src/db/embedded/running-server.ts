import { existsSync, realpathSync } from 'node:fs';
import { connectionOf } from './adopt-postmaster.ts';
import { clusterPaths, readPassword } from './cluster.ts';
import type { Connection } from './connection.ts';
import { isPostmasterOf, readPostmasterFile } from './postmaster.ts';

/** How to reach the PostgreSQL that runs in this directory, for a program beside the one that started it. */
export function runningServer(dir: string): Connection | null {
  if (!existsSync(dir)) return null;
  const paths = clusterPaths(realpathSync(dir));
  const file = readPostmasterFile(paths.cluster);
  if (!file || !isPostmasterOf(file.pid, paths.cluster)) return null;
  return connectionOf(file, readPassword(paths) ?? '');
}
