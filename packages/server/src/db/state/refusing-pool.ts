import pg from 'pg';

type Connected = (error: Error | undefined, client?: pg.PoolClient, release?: () => void) => void;

/** A pool that can refuse those that wait for a connection; the driver leaves them waiting when it is ended. */
export class RefusingPool extends pg.Pool {
  readonly #waiting = new Set<Connected>();

  override connect(): Promise<pg.PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.PoolClient> | undefined {
    if (!connected)
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client ? resolve(client) : reject(error))),
      );
    const answer: Connected = (error, client, release) => {
      // A connection that comes after the refusal goes back.
      if (this.#waiting.delete(answer)) connected(error, client, release);
      else release?.();
    };
    this.#waiting.add(answer);
    super.connect(answer as Parameters<pg.Pool['connect']>[0]);
    return undefined;
  }

  refuseWaiting(): void {
    const error = new Error('Cannot use a pool after calling end on the pool');
    for (const answer of [...this.#waiting]) answer(error);
  }
}
