import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { ChildLine } from './first-failure.ts';
import { emptyTemporary, type Scratch } from './scratch.ts';

export interface FilesRun {
  /** Milliseconds of each file that passed. */
  passed: Map<string, number>;
  /** The first test that failed, or how the process ended. */
  failure?: { test: string; message: string };
  timedOut: boolean;
}

const child = fileURLToPath(new URL('./child.ts', import.meta.url));
const reporter = new URL('./first-failure.ts', import.meta.url).href;

/** Ends the process and all that it has started and not detached. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Runs test files of the copy in one process until the first failure, for at most `limit_ms`. */
export async function runFiles(scratch: Scratch, files: readonly string[], limit_ms: number): Promise<FilesRun> {
  const { root, temporary } = scratch;
  const started = spawn(process.execPath, [`--test-reporter=${reporter}`, child, ...files], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      // Inside a test it would have the child report to this process's own runner.
      NODE_TEST_CONTEXT: undefined,
      TMPDIR: temporary,
      NODE_COMPILE_CACHE: `${root}/node_modules/.cache/compiled`,
    },
  });
  const result: FilesRun = { passed: new Map(), timedOut: false };
  const timer = setTimeout(() => {
    result.timedOut = true;
    endGroup(started.pid);
  }, limit_ms);
  const ended = new Promise<string>((resolve, reject) => {
    started.on('error', reject).on('exit', (code, signal) => resolve(`${signal ?? code}`));
  });
  const lines = createInterface({ input: started.stdio[3] as Readable });
  lines.on('line', (text) => {
    const line = JSON.parse(text) as ChildLine;
    if ('passed' in line) result.passed.set(line.passed, line.took_ms);
    else result.failure ??= { test: line.failed, message: line.message };
  });
  const closed = new Promise((resolve) => lines.once('close', resolve));
  try {
    const how = await ended;
    endGroup(started.pid);
    await closed;
    if (!result.timedOut && !result.failure && result.passed.size < files.length)
      result.failure = { test: files[result.passed.size] ?? '', message: `the process ended with ${how}` };
    return result;
  } finally {
    clearTimeout(timer);
    emptyTemporary(scratch);
  }
}
