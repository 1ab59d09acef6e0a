import { NodeFailure } from '../nodes/node-failure.ts';

/**
 * Calls with a time limit. The result settles at the limit or at the end of the run, even if the call ignores its
 * signal.
 */
export function timed<T>(signal: AbortSignal, seconds: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const stop = () => {
    reject(signal.reason);
    own.abort(signal.reason);
  };
  const timer = setTimeout(
    () => {
      reject(new NodeFailure('timeout', `It took longer than ${seconds} s`));
      own.abort();
    },
    Math.min(seconds * 1000, 2 ** 31 - 1),
  );
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  else call(own.signal).then(resolve, reject);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  });
}
