import { isDeepStrictEqual } from 'node:util';
import { asError } from '../../lib/as-error.ts';
import { limitBackend } from './limit-backend.ts';
import { isRunning } from './process-info.ts';
import { type EmbeddedServer, type StartOptions, startEmbedded } from './start-embedded.ts';

export interface SupervisedServer {
  connection: EmbeddedServer['connection'];
  /** Lets a backend of this server take so much more memory than it has; false where that can't be set. */
  limitMemory(pid: number, bytes: number): Promise<boolean>;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL and starts it again should it end by itself (out of memory, a kill by hand): connections are
 * made anew by their pools, so only what was under way is lost. `onGone` is called when that can't be done.
 */
export async function superviseEmbedded(
  options: StartOptions & { log: (message: string) => void; onGone: (error: Error) => void },
): Promise<SupervisedServer> {
  let server = await startEmbedded(options);
  const { connection } = server;
  let stopped = false;
  let restarting: Promise<void> | undefined;

  async function restart(): Promise<void> {
    options.log('PostgreSQL ended by itself; starting it again.');
    const next = await startEmbedded(options);
    server = next;
    if (!isDeepStrictEqual(next.connection, connection)) throw new Error('PostgreSQL came back at another address');
  }

  const timer = setInterval(() => {
    if (stopped || restarting || isRunning(server.pid)) return;
    restarting = restart()
      .catch((error) => options.onGone(asError(error)))
      .finally(() => {
        restarting = undefined;
      });
  }, 500);

  return {
    connection,
    limitMemory: (pid, bytes) => limitBackend(server.pid, pid, bytes),
    async stop() {
      stopped = true;
      clearInterval(timer);
      await restarting;
      await server.stop();
    },
  };
}
