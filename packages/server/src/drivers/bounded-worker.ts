import { Worker } from 'node:worker_threads';

/** It took more time or memory than it may, or broke. Says nothing of what it worked on. */
export class WorkerFailed extends Error {
  readonly code: 'too_slow' | 'too_large' | 'broken';

  constructor(code: WorkerFailed['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Runs a module of this server on untrusted input in a worker thread, which is terminated when it exceeds its time or
 * memory limit. The module posts one message: its result.
 */
export async function runInWorker<T>(
  file: URL,
  data: unknown,
  { timeout_ms, memory_mb, signal }: { timeout_ms: number; memory_mb: number; signal: AbortSignal },
): Promise<T> {
  signal.throwIfAborted();
  const worker = new Worker(file, {
    workerData: data,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memory_mb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const late = setTimeout(() => reject(new WorkerFailed('too_slow', 'it took too long')), timeout_ms);
  const leave = () => reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  worker.once('message', resolve);
  worker.once('error', (error: NodeJS.ErrnoException) =>
    reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new WorkerFailed('too_large', 'it took too much memory')
        : new WorkerFailed('broken', 'it could not be worked on'),
    ),
  );
  worker.once('exit', () => reject(new WorkerFailed('broken', 'it ended without an answer')));
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', leave);
    await worker.terminate();
  }
}
