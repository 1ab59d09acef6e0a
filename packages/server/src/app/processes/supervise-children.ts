import { asError } from '../../lib/as-error.ts';
import type { Log } from '../../lib/log.ts';
import { type ChildHandle, forkChild, ProcessEnded } from './child-handle.ts';
import { type PeerFunctions, PeerOutage } from './peer.ts';
import { hasFailedToStart, makeRestartPolicy } from './restart-policy.ts';

export interface SuperviseOptions {
  processes: number;
  log: Log;
  /** What the process of this number may call. */
  functionsFor(number: number): PeerFunctions;
  /** Calls a new process until it serves; rejects when it can't. */
  bringUp(child: ChildHandle): Promise<void>;
  onEnd(child: ChildHandle, number: number): void;
  /** Asked when a process could not start, which is no fault of it then. */
  isDatabaseAway(): Promise<boolean>;
  /** Called when a process can't be started any more. */
  onGone(error: Error): void;
}

export interface Children {
  all(): ChildHandle[];
  /** Resolves when each process serves for the first time; rejects with the reason why one can't. */
  started: Promise<unknown>;
  /** Lets all drain. One that ends from now on is not replaced: the next one would not drain. */
  drain(): Promise<unknown>;
  /** Asks all to end, and waits until they have. */
  end(): Promise<void>;
}

/** Keeps a number of processes running: one that ends is started again, unless it ends at its start again and again. */
export function superviseChildren(options: SuperviseOptions): Children {
  const { processes, log, functionsFor, bringUp, onEnd, isDatabaseAway, onGone } = options;
  const children = new Map<number, ChildHandle>();
  let isEnding = false;
  let isDraining = false;

  /** Resolves when the processes are ended, or this one can't be started any more. */
  async function keepRunning(
    number: number,
    onServing: () => void,
    onRefused: (error: Error) => Promise<void>,
  ): Promise<void> {
    const pauseAfter = makeRestartPolicy();
    while (!isEnding && !isDraining) {
      let serving: number | undefined;
      const child = forkChild(number, functionsFor(number));
      children.set(number, child);
      let refused: string | undefined;
      bringUp(child).then(
        () => {
          child.isServing = true;
          serving = Date.now();
          onServing();
        },
        (error) => {
          refused = asError(error).message;
          void onRefused(asError(error));
          child.kill();
        },
      );
      const reason = await child.ended;
      children.delete(number);
      onEnd(child, number);
      if (isEnding) return;
      const served_ms = serving === undefined ? 0 : Date.now() - serving;
      log.warn('process.ended', { number, pid: child.pid, reason: refused ?? reason });
      const pause = pauseAfter(served_ms, hasFailedToStart(served_ms) && (await isDatabaseAway()));
      if (isEnding || isDraining) return;
      if (pause === undefined) return onGone(new Error(`Process ${number} does not stay up: ${refused ?? reason}`));
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  const firsts = Array.from({ length: processes }, (_, index) => {
    const first = Promise.withResolvers<void>();
    // A process that was killed while it started, or has lost its database, is started again; only one that gives another
    // reason is not.
    const onRefused = async (error: Error) => {
      // The database may be back by now.
      if (error instanceof ProcessEnded || error instanceof PeerOutage) return;
      if (!(await isDatabaseAway())) first.reject(error);
    };
    void keepRunning(index + 1, first.resolve, onRefused);
    return first.promise;
  });
  const started = Promise.all(firsts);
  started.catch(() => {});

  return {
    all: () => [...children.values()],
    started,
    drain() {
      isDraining = true;
      return Promise.allSettled([...children.values()].map(({ peer }) => peer.call('drain')));
    },
    async end() {
      isEnding = true;
      await Promise.all(
        [...children.values()].map(async (child) => {
          child.peer.call('end').catch(() => {});
          await child.ended;
        }),
      );
    },
  };
}
