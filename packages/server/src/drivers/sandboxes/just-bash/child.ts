/**
 * The emulated shell, in a process of its own that can access one directory and start no programs. It reads its request
 * from standard input; its output and exit code are those of the command.
 */
import { writeSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { Bash, InMemoryFs, MountableFs, stdoutAsBytes } from 'just-bash';
import type { Command } from '../driver.ts';
import { QuotaFs } from './quota-fs.ts';
import { reasonFd, type ShellRequest } from './request.ts';

const { command, work, limits, used } = JSON.parse(await text(process.stdin)) as ShellRequest;

// The memory of the loaded shell itself does not count for the command.
const own = process.memoryUsage.rss();
new Worker(new URL('./guard.ts', import.meta.url), {
  workerData: { memory_bytes: own + limits.memory_bytes, cpu_seconds: limits.cpu_seconds },
}).unref();

const stopping = new AbortController();
const fs = new MountableFs({ base: new InMemoryFs() });
const files = new QuotaFs({
  root: work,
  limits,
  used,
  onExceeded(reason) {
    if (!stopping.signal.aborted) writeSync(reasonFd, `${reason}\n`);
    stopping.abort();
  },
});
fs.mount('/work', files);

const bash = new Bash({
  fs,
  cwd: '/work',
  env: { HOME: '/work', USER: 'sandbox' },
  python: true,
  javascript: true,
  processInfo: { pid: 2, ppid: 1, uid: 1000, gid: 1000 },
  executionLimits: {
    // The time limits a command, not the number of its steps.
    maxCommandCount: 1e9,
    maxLoopIterations: 1e9,
    maxWorkUnits: 1e9,
    // This limit counts output to files too; the streams are limited outside.
    maxOutputSize: limits.output_bytes + limits.disk_bytes * 4,
    maxStringLength: limits.file_bytes,
    maxFileSystemBytes: limits.file_bytes,
    maxPythonTimeoutMs: limits.wall_ms,
    maxJsTimeoutMs: limits.wall_ms,
  },
});

const run = (given: Command) => {
  const options = {
    cwd: `/work/${given.cwd}`,
    env: { ...given.env },
    stdin: given.stdin,
    rawScript: true,
    signal: stopping.signal,
  };
  if (given.language === 'bash') return bash.exec(given.code, options);
  const [name, flag] = given.language === 'python' ? ['python3', '-c'] : ['js-exec', '-c'];
  return bash.exec(name as string, { ...options, args: [flag as string, given.code] });
};

const result = await run(command);
const write = (stream: NodeJS.WriteStream, bytes: Buffer) =>
  new Promise<void>((resolve) => stream.write(bytes, () => resolve()));
await write(process.stdout, Buffer.from(String(stdoutAsBytes(result)), 'latin1'));
await write(process.stderr, Buffer.from(result.stderr, 'utf8'));
process.exit(result.exitCode);
