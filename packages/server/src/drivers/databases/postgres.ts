import type { Socket } from 'node:net';
import type pg from 'pg';
import { makeAllowList } from '../web/allow-list.ts';
import { makeCheckedSockets } from '../web/checked-socket.ts';
import { WebRefused } from '../web/driver.ts';
import { type Address, addressOf, connectTo } from './connect-to-server.ts';
import { DatabaseQueryError, type Databases, type QueryAnswer, type QueryOptions } from './driver.ts';
import { sendCancel } from './send-cancel.ts';

const connectMs = 10_000;
/** The server's own statement_timeout comes first, because its error says what happened. */
const [cancelAfterMs, dropAfterMs] = [1000, 4000];
const mostBytes = 5 * 1024 * 1024;
const mostRead = 4 * mostBytes;

/** Errors about a statement are shown to its author; other errors may name hosts and users, so they are not. */
function explained(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof DatabaseQueryError || signal.aborted) return error;
  if (error instanceof WebRefused) return new DatabaseQueryError(error.message, { cause: error });
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && /^28/.test(code)) return new DatabaseQueryError('it refuses our credentials');
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|3D|57P|XX)/.test(code))
    return new DatabaseQueryError(String(message).slice(0, 2000));
  return new DatabaseQueryError('it could not be reached, or broke off');
}

/** One statement in a transaction that reads only, by a cursor: no more rows come over than are wanted. */
async function reading(client: pg.Client, text: string, values: readonly unknown[], { max_rows }: QueryOptions) {
  await client.query('begin transaction isolation level repeatable read read only');
  // The extended protocol takes a single statement, so a second one after a semicolon is refused.
  await client.query({
    text: `declare answer no scroll cursor for ${text}`,
    values: [...values],
    queryMode: 'extended',
  } as pg.QueryConfig);
  const answer = await client.query(`fetch forward ${max_rows + 1} from answer`);
  await client.query('rollback');
  return { answer, changed: null };
}

async function writing(client: pg.Client, text: string, values: readonly unknown[]) {
  await client.query('begin');
  const answer = await client.query({ text, values: [...values], queryMode: 'extended' } as pg.QueryConfig);
  await client.query('commit');
  return { answer, changed: answer.rowCount };
}

/** Queries PostgreSQL servers outside; their addresses are checked like all addresses that users choose. */
export function makePostgresDatabases({ allow }: { allow: readonly string[] }): Databases {
  const open = makeCheckedSockets({ allow: makeAllowList(allow) });
  // The name and port of the connection string, in the form that the guard reads.
  const openTo = ({ host, port }: Address, signal: AbortSignal) =>
    open(new URL(`http://${host}:${port}`), AbortSignal.any([signal, AbortSignal.timeout(connectMs)]));

  return {
    async query(dsn, text, values, options): Promise<QueryAnswer> {
      const address = addressOf(dsn);
      const { max_rows, timeout_ms, signal } = options;
      let client: pg.Client | undefined;
      let socket: Socket | undefined;
      const drop = () => void socket?.destroy();
      // A dropped connection alone would leave the statement running at the server.
      const cancel = () => client && sendCancel(address, client, openTo).catch(() => {});
      const abort = () => {
        cancel();
        drop();
      };
      signal.addEventListener('abort', abort);
      const timers = [
        setTimeout(cancel, timeout_ms + cancelAfterMs),
        setTimeout(drop, timeout_ms + dropAfterMs),
        // A few rows can be endless too.
        setInterval(() => socket && socket.bytesRead > mostRead && abort(), 50),
      ];
      try {
        socket = await openTo(address, signal);
        client = connectTo(address, socket, { statement_timeout: timeout_ms, connectionTimeoutMillis: connectMs });
        await client.connect();
        const { answer, changed } = options.writes
          ? await writing(client, text, values)
          : await reading(client, text, values, options);
        const rows = answer.rows as Record<string, unknown>[];
        const kept = rows.slice(0, max_rows);
        if (JSON.stringify(kept).length > mostBytes)
          throw new DatabaseQueryError('its answer is larger than 5 MB; ask for fewer rows or columns');
        return { columns: answer.fields.map(({ name }) => name), rows: kept, cut: rows.length > max_rows, changed };
      } catch (error) {
        throw explained(error, signal);
      } finally {
        signal.removeEventListener('abort', abort);
        for (const timer of timers) clearTimeout(timer);
        await client?.end().catch(() => {});
        drop();
      }
    },
  };
}
