import type { Socket } from 'node:net';
import pg from 'pg';
import { makeAllowList } from '../web/allow-list.ts';
import { makeCheckedSockets } from '../web/checked-socket.ts';
import { WebRefused } from '../web/driver.ts';
import { type Databases, DatabaseTrouble, type QueryAnswer, type QueryOptions } from './driver.ts';

const connectMs = 10_000;
const mostBytes = 5 * 1024 * 1024;
const mostRead = 4 * mostBytes;

interface Address {
  url: URL;
  ssl: boolean | { servername: string; rejectUnauthorized: boolean };
}

/** Only what a connection needs is read of the string: an option in it could name a file or a program. */
function addressOf(dsn: string): Address {
  const url = URL.parse(dsn.trim());
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol) || !url.hostname)
    throw new DatabaseTrouble('the variable does not hold a connection string (postgresql://user:password@host/name)');
  const mode = url.searchParams.get('sslmode');
  const checks = mode === 'verify-full' || mode === 'verify-ca';
  const ssl = checks || mode === 'require' ? { servername: url.hostname, rejectUnauthorized: checks } : false;
  return { url, ssl };
}

/** A socket that is open and checked, for a library that wants to open one itself. */
function opened(socket: Socket): Socket {
  socket.connect = () => {
    process.nextTick(() => socket.emit('connect'));
    return socket;
  };
  return socket;
}

/** What PostgreSQL says of a statement is for whoever wrote it; other errors may speak of hosts and users. */
function explained(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof DatabaseTrouble || signal.aborted) return error;
  if (error instanceof WebRefused) return new DatabaseTrouble(error.message);
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && /^28/.test(code)) return new DatabaseTrouble('it refuses our credentials');
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|3D|57P|XX)/.test(code))
    return new DatabaseTrouble(String(message).slice(0, 2000));
  return new DatabaseTrouble('it could not be reached, or broke off');
}

/** One statement in a transaction that reads only, by a cursor: no more rows come over than are wanted. */
async function reading(client: pg.Client, text: string, values: readonly unknown[], { max_rows }: QueryOptions) {
  await client.query('begin transaction isolation level repeatable read read only');
  // The extended protocol takes one statement and no more: what follows a semicolon is refused.
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

/** PostgreSQL servers elsewhere. Where they are is checked as every address is that somebody else has chosen. */
export function makePostgresDatabases({ allow }: { allow: readonly string[] }): Databases {
  const open = makeCheckedSockets({ allow: makeAllowList(allow) });

  return {
    async query(dsn, text, values, options): Promise<QueryAnswer> {
      const { url, ssl } = addressOf(dsn);
      const { max_rows, timeout_ms, signal } = options;
      let client: pg.Client | undefined;
      let socket: Socket | undefined;
      const drop = () => void socket?.destroy();
      signal.addEventListener('abort', drop);
      // A few rows can be endless too.
      const watch = setInterval(() => socket && socket.bytesRead > mostRead && drop(), 50);
      try {
        // Its own name and port, in the form that the guard reads.
        const at = new URL(`http://${url.hostname}:${url.port || '5432'}`);
        socket = await open(at, AbortSignal.any([signal, AbortSignal.timeout(connectMs)]));
        const checked = socket;
        client = new pg.Client({
          ...{ user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
          ...{ database: decodeURIComponent(url.pathname.slice(1)) || undefined, ssl },
          ...{ stream: () => opened(checked), statement_timeout: timeout_ms, application_name: 'atrium' },
          connectionTimeoutMillis: connectMs,
        } as pg.ClientConfig);
        client.on('error', () => {});
        await client.connect();
        const { answer, changed } = options.writes
          ? await writing(client, text, values)
          : await reading(client, text, values, options);
        const rows = answer.rows as Record<string, unknown>[];
        const kept = rows.slice(0, max_rows);
        if (JSON.stringify(kept).length > mostBytes)
          throw new DatabaseTrouble('its answer is larger than 5 MB; ask for fewer rows or columns');
        return { columns: answer.fields.map(({ name }) => name), rows: kept, cut: rows.length > max_rows, changed };
      } catch (error) {
        throw explained(error, signal);
      } finally {
        signal.removeEventListener('abort', drop);
        clearInterval(watch);
        await client?.end().catch(() => {});
        drop();
      }
    },
  };
}
