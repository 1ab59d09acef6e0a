import { Worker } from 'node:worker_threads';
import { asError } from '../../lib/as-error.ts';
import type { PasswordStrength } from './driver.ts';

/** People who are told to choose another password do so within a minute. */
const idle_ms = 60_000;

interface Waiting {
  resolve(score: number): void;
  reject(error: Error): void;
}

/**
 * Looks passwords up in lists of common passwords, names and words (`@zxcvbn-ts`), without a network. The thread that has the
 * lists starts with the first password and ends when none came for a while: most servers need it a few times a week.
 */
export function makeZxcvbn({ end_after_ms = idle_ms } = {}): PasswordStrength {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let sequence = 0;
  const waiting = new Map<number, Waiting>();

  function start(): Worker {
    const started = new Worker(new URL('./zxcvbn-worker.ts', import.meta.url), { env: {} });
    const fail = (error: Error) => {
      if (worker !== started) return;
      worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on('message', ({ id, score }: { id: number; score: number }) => {
      waiting.get(id)?.resolve(score);
      waiting.delete(id);
      if (waiting.size > 0) return;
      // Neither the thread nor the timer keeps the process alive.
      started.unref();
      idle = setTimeout(end, end_after_ms).unref();
    });
    started.on('error', (error) => fail(asError(error)));
    started.on('exit', () => fail(new Error('The thread that checks passwords ended')));
    return started;
  }

  function end(): void {
    const ending = worker;
    worker = undefined;
    void ending?.terminate();
  }

  return {
    score(password, context) {
      clearTimeout(idle);
      worker ??= start();
      worker.ref();
      const id = ++sequence;
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, password, context });
      return promise;
    },
  };
}
