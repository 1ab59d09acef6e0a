import type { Socket } from 'node:net';
import pg from 'pg';

/** The parts of the driver's client that it does not declare. */
interface Connected {
  /** The backend of the connection, or a number that a pooler made up. */
  processID: number | null;
  connection: { stream: Socket };
}

/** A client that knows whether a statement of its own waits for an answer. */
export class WatchedClient extends pg.Client {
  #sent = 0;
  #answered = 0;

  /** The number of the statement that waits for its answer; undefined when none does. */
  get waitingStatement(): number | undefined {
    return this.#sent > this.#answered ? this.#answered : undefined;
  }

  #noteAnswer = (): void => {
    this.#answered++;
  };

  /** The answer comes by a callback, which is given last, or by a promise. */
  override query(...given: unknown[]): never {
    const send = super.query as (...given: unknown[]) => unknown;
    this.#sent++;
    const answered = given.at(-1);
    if (typeof answered !== 'function') {
      const answer = send.apply(this, given) as Promise<unknown>;
      answer.then(this.#noteAnswer, this.#noteAnswer);
      return answer as never;
    }
    return send.call(this, ...given.slice(0, -1), (error: unknown, result: unknown) => {
      this.#noteAnswer();
      answered(error, result);
    }) as never;
  }
}

const connectedOf = (client: pg.Client) => client as unknown as Connected;

export const backendOf = (client: pg.Client): number | null => connectedOf(client).processID;

export const socketOf = (client: pg.Client): Socket => connectedOf(client).connection.stream;

/** Breaks a connection without a word to the server; a statement that waits for its answer fails. */
export const breakConnection = (client: pg.Client): void => void socketOf(client).destroy();
