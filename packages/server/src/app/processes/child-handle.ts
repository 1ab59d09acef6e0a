import cluster, { type Worker } from 'node:cluster';
import { makePeer, type Peer, type PeerFunctions, type PeerMessage } from './peer.ts';

/** A process has ended before it could answer. */
export class ProcessEnded extends Error {}

/** A process that this one has started, seen from here. */
export interface ChildHandle {
  pid: number;
  peer: Peer;
  /** Resolves when the process can be called. */
  hello: Promise<void>;
  /** Resolves when it has ended, with how. */
  ended: Promise<string>;
  isServing: boolean;
  /** The names under which it executes runs. */
  node_ids: readonly string[];
  kill(): void;
}

/**
 * Closes the connection that was being handed to a process when that process ended. Node hands over one connection at a
 * time and forgets one that the process has not accepted, so that its client would wait for ever.
 */
function closeLostConnection(worker: Worker): void {
  const { process: child } = worker;
  const send = child.send as unknown as (...args: unknown[]) => boolean;
  let handed: { close?(): void } | undefined;
  child.send = ((message: unknown, handle?: typeof handed, ...rest: unknown[]) => {
    if (typeof handle?.close === 'function') handed = handle;
    return send.call(child, message, handle, ...rest);
  }) as unknown as typeof child.send;
  worker.once('exit', () => handed?.close?.());
}

/** Resolves when a process has ended, with how. One that could not be started tells of an error and of no end. */
const waitForEnd = (worker: Worker) =>
  new Promise<string>((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ? `it was ended by ${signal}` : `it ended with ${code}`));
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) resolve(`it could not be started: ${error.message}`);
    });
  });

/** Starts this program once more as the process of this number. `ps` shows the number. */
export function forkChild(number: number, functions: PeerFunctions): ChildHandle {
  cluster.setupPrimary({ args: ['process', String(number)], serialization: 'advanced' });
  const worker = cluster.fork();
  closeLostConnection(worker);
  const hello = Promise.withResolvers<void>();
  // A message to a process that has just ended is lost; the end of the process rejects the call.
  const peer = makePeer((message) => worker.isConnected() && worker.send(message, () => {}), {
    ...functions,
    hello: () => hello.resolve(),
  });
  worker.on('message', (message: PeerMessage) => peer.receive(message));
  const ended = waitForEnd(worker).then((reason) => {
    peer.close(new ProcessEnded(reason));
    hello.reject(new ProcessEnded(reason));
    return reason;
  });
  hello.promise.catch(() => {});
  return {
    pid: worker.process.pid ?? 0,
    ...{ peer, hello: hello.promise, ended, isServing: false, node_ids: [] },
    kill: () => void worker.process.kill('SIGKILL'),
  };
}
