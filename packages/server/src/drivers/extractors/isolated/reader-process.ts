import { type ChildProcess, fork } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NotExtractable } from '../driver.ts';
import type { FromReader, ToReader } from './messages.ts';

const program = fileURLToPath(new URL('./process.ts', import.meta.url));
const extractors = dirname(dirname(program));

/** Where the libraries are, also when the folder is a link. */
function libraries(): string[] {
  const found = dirname(dirname(fileURLToPath(import.meta.resolve('saxes/package.json'))));
  return [found, realpathSync(found), join(extractors, '../../../../node_modules')];
}

/** No files but the program's own and its data, no other programs, no network, no code from strings. */
export function confinement(memory_mb: number, data: readonly string[] = []): string[] {
  const readable = [...new Set([extractors, realpathSync(extractors), ...libraries(), ...data])];
  return [
    ...['--permission', '--allow-worker', ...readable.map((path) => `--allow-fs-read=${path}`)],
    ...['--disallow-code-generation-from-strings', `--max-old-space-size=${Math.floor(memory_mb * 0.75)}`],
    ...['--no-warnings', `--import=${new URL('./no-network.ts', import.meta.url)}`],
  ];
}

/** All that it gets are the bytes: the environment, where keys may stand, is empty. */
export function startReader(
  memory_mb: number,
  data: readonly string[] = [],
  { file = program, flags = [] }: { file?: string; flags?: readonly string[] } = {},
): ChildProcess {
  return fork(file, [String(memory_mb)], {
    env: {},
    cwd: '/',
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [...confinement(memory_mb, data), ...flags],
  });
}

export interface ReadLimits {
  /** How long a file may take from page to page, and in all. */
  time_ms: number;
  total_ms: number;
  /** The most memory of one process, of all kinds. */
  memory_mb: number;
  /** The largest file. */
  max_bytes: number;
}

export interface ReadRequest<O> {
  /** What the program of the process needs to know. */
  options: O;
  signal: AbortSignal;
  progress?: ((pages: number, of: number) => void) | undefined;
}

/** Has a process read one file. When this fails, the process is of no more use. */
export async function readFileWithProcess<O, R>(
  child: ChildProcess,
  content: AsyncIterable<Uint8Array>,
  { signal, progress, options }: ReadRequest<O>,
  { time_ms, total_ms, memory_mb, max_bytes }: ReadLimits,
): Promise<R> {
  const result = Promise.withResolvers<R>();
  const fail = (code: NotExtractable['code'], message: string) => result.reject(new NotExtractable(code, message));
  let fed = false;

  const onMessage = (answer: FromReader<R>) => {
    if (answer.type === 'progress') {
      timer.refresh();
      progress?.(answer.pages, answer.of);
    } else if (answer.type === 'failed') fail(answer.code, answer.message);
    else if (fed) result.resolve(answer.result);
    else fail('unreadable', 'its reader did not read all of it');
  };
  const onExit = () => fail('too_large', `reading it took more than the ${memory_mb} MB of memory there are`);
  const onError = () => fail('unreadable', 'its reader could not be started');
  const onAbort = () => result.reject(signal.reason);
  const onTime = () => fail('too_slow', 'reading it took too long');

  /** Never settles when sending fails: the process has exited then, and the exit handler reports the reason. */
  const send = (message: ToReader<O>) =>
    new Promise<void>((resolve) => {
      child.send(message, (error) => {
        if (!error) resolve();
      });
    });
  async function feed(): Promise<void> {
    await send({ type: 'begin', options, total_ms });
    let size = 0;
    for await (const bytes of content) {
      size += bytes.length;
      if (size > max_bytes)
        throw new NotExtractable('too_large', `it is larger than ${Math.floor(max_bytes / 1024 / 1024)} MB`);
      await Promise.race([send({ type: 'bytes', bytes }), result.promise]);
    }
    fed = true;
    await send({ type: 'end' });
  }

  const timer = setTimeout(onTime, time_ms);
  const total = setTimeout(onTime, total_ms);
  child.on('message', onMessage).on('exit', onExit).on('error', onError);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    feed().catch(result.reject);
    return await result.promise;
  } finally {
    clearTimeout(timer);
    clearTimeout(total);
    child.off('message', onMessage).off('exit', onExit).off('error', onError);
    signal.removeEventListener('abort', onAbort);
  }
}
