import pg from 'pg';
import { required } from '../lib/required.ts';
import type { QueryConnections } from './query-connections.ts';
import { compile, type Sql } from './sql.ts';
import { watchDeadline } from './statement-deadline.ts';

export interface FirstRows {
  fields: { name: string; type: number }[];
  /** Cells as text, as the server wrote them. */
  rows: (string | null)[][];
  /** There would have been more. */
  truncated: boolean;
}

export class AnswerTooLarge extends Error {}

/** The statement was ended from outside. */
export class DeadlineReached extends Error {}

export interface FirstRowsOptions {
  /** Run before, in the same transaction; nothing of them is left afterwards. */
  before: readonly Sql[];
  text: string;
  values: readonly unknown[];
  max_rows: number;
  max_bytes: number;
  /** After this long the statement is cancelled from outside, even if it changes the timeout of its session. */
  deadline_ms: number;
}

interface Wire {
  sync(): void;
  stream: NodeJS.ReadableStream & { destroy(): void; destroyed: boolean };
}

/** What the driver calls, and its types do not show. */
interface Handling {
  handleError(error: Error, wire: Wire): void;
}

/** Values as text: the caller knows their types. */
const asText = { getTypeParser: () => (text: string | null) => text } as unknown as pg.CustomTypesConfig;

/** Fetches only so many rows of a statement: the server stops there, even without a LIMIT. */
class Limited extends pg.Query {
  handlePortalSuspended(wire: Wire): void {
    wire.sync();
  }

  /** The driver leaves the server waiting after an error in a statement whose rows are limited. */
  handleError(error: Error, wire: Wire): void {
    if (!wire.stream.destroyed) wire.sync();
    (pg.Query.prototype as unknown as Handling).handleError.call(this, error, wire);
  }
}

function send(client: pg.PoolClient, { text, values, max_rows }: FirstRowsOptions): Promise<FirstRows> {
  return new Promise((resolve, reject) => {
    const config = { text, values: [...values], rows: max_rows + 1, rowMode: 'array', types: asText };
    const query = new Limited(
      config as unknown as pg.QueryConfig,
      undefined,
      (error: Error | undefined, result: pg.ResultBuilder) => {
        if (error) reject(error);
        else
          resolve({
            fields: result.fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })),
            rows: result.rows.slice(0, max_rows) as unknown as (string | null)[][],
            truncated: result.rows.length > max_rows,
          });
      },
    );
    client.query(query);
  });
}

/**
 * The first rows of a statement, in a transaction that is always undone. Only one statement is taken: the protocol that
 * carries parameters refuses a second. An answer that is too large ends the connection, before it fills our memory.
 */
export async function firstRows(connections: QueryConnections, options: FirstRowsOptions): Promise<FirstRows> {
  const client = await connections.connect();
  const { stream } = (client as unknown as { connection: Wire }).connection;
  let bytes = 0;
  let tooLarge = false;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= options.max_bytes || tooLarge) return;
    tooLarge = true;
    stream.destroy();
  };
  let stopWatching = async () => false;
  let broken: Error | undefined;
  try {
    // Asked for in the transaction: behind a pooler only that stays with one backend.
    await client.query('begin');
    const pid = required((await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid);
    for (const statement of options.before) await client.query(compile(statement));
    const drop = () => stream.destroy();
    stopWatching = watchDeadline({ pool: connections.watch, pid, ms: options.deadline_ms, drop });
    stream.on('data', count);
    return await send(client, options);
  } catch (error) {
    if (tooLarge) throw new AnswerTooLarge('The answer is too large');
    if (await stopWatching()) throw new DeadlineReached('The statement was ended at its deadline');
    throw error;
  } finally {
    stream.off('data', count);
    if (await stopWatching()) broken = new Error('The statement was ended from outside');
    else
      await client.query('rollback').catch((error: Error) => {
        broken = error;
      });
    client.release(broken);
  }
}
