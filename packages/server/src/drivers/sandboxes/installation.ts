import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The paths of this program and its data. No code in a sandbox may read any of them. */
export interface Installation {
  program_dir: string;
  /** A file of the program that always exists. */
  main: string;
  /** May hold keys; need not exist. */
  env_files: readonly string[];
  data_dir: string;
  config_files: readonly string[];
}

const source = resolve(import.meta.dirname, '../..');
/** The checkout: all packages with what is installed for them, and the files beside them, such as `.env`. */
const checkout = resolve(source, '../../..');

/** The running program, with its data beside the sandboxes' directory. */
export function ownInstallation(root: string, config_files: readonly string[] = []): Installation {
  return {
    program_dir: checkout,
    main: join(source, 'main.ts'),
    env_files: [...new Set([join(checkout, '.env'), resolve('.env')])],
    data_dir: dirname(resolve(root)),
    config_files: config_files.map((file) => resolve(file)),
  };
}

/** All paths to hide. */
export const hiddenPaths = ({ program_dir, env_files, data_dir, config_files }: Installation): string[] => [
  program_dir,
  data_dir,
  ...env_files,
  ...config_files,
];

/** The files that a self-test tries to read, among them one that it puts into the data directory while it runs. */
export async function withCanary<T>(
  { main, env_files, data_dir, config_files }: Installation,
  work: (files: string[]) => Promise<T>,
): Promise<T> {
  const canary = join(data_dir, `canary-${randomUUID()}`);
  if (existsSync(data_dir)) writeFileSync(canary, randomBytes(16).toString('hex'), { mode: 0o644 });
  try {
    return await work([main, ...env_files, ...config_files, canary].filter((file) => existsSync(file)));
  } finally {
    rmSync(canary, { force: true });
  }
}

/** A shell script that reports for each file whether it could be read. */
export const readingScript = (files: readonly string[]): string =>
  files
    .map((file) => `'${file.replaceAll("'", "'\\''")}'`)
    .map((file) => `[ -n "$(head -c 1 ${file} 2>/dev/null)" ] && echo it can read ${file}`)
    .join('\n');
