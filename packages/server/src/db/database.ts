import pg from 'pg';
import { asError } from '../lib/as-error.ts';
import { errorCode } from '../lib/error-code.ts';
import { errorFields, type Log } from '../lib/log.ts';
import { noteOutages } from '../lib/outages/database-outages.ts';
import { required } from '../lib/required.ts';
import { actorId, type Scope } from '../lib/scope.ts';
import { compile, type Sql } from './sql.ts';
import { breakDeadConnections } from './state/dead-connections.ts';
import { RefusingPool } from './state/refusing-pool.ts';
import { breakConnection, WatchedClient } from './state/watched-client.ts';
import { type Connection, sendStatement } from './statements/send-statement.ts';
import { isStoredText } from './stored-text/stored-text.ts';
import { plainText, type TextCodec } from './stored-text/text-codec.ts';

/** Runs SQL: the database itself, or a transaction in it. Stores take one first and need not know which. */
export interface Db {
  rows<T>(statement: Sql): Promise<T[]>;
  /** The first row, or undefined. */
  row<T>(statement: Sql): Promise<T | undefined>;
  /** The only row of a statement that always returns one, such as an insert; fails without it. */
  one<T>(statement: Sql): Promise<T>;
  /** How many rows were touched. */
  run(statement: Sql): Promise<number>;
}

export interface Database extends Db {
  /**
   * All or nothing. Given the scope of a request, its audit row is stored with the work, and the result too where the
   * request has an Idempotency-Key. With If-Match the record is locked first, and a newer one is not changed.
   */
  transaction<T>(scope: Scope | undefined, work: (tx: Db) => Promise<T>): Promise<T>;
  /** For a single statement, which is atomic by itself: opens a transaction only when there is an answer or an audit row to store. */
  write<T>(scope: Scope, work: (db: Db) => Promise<T>): Promise<T>;
  /** For statements about several rows at once that are all looked up by their keys (`groupCalls`). */
  grouped: Db;
  /** Text of the columns in `textColumns` is stored and read by this from now on; until then it is stored plain. */
  useTextCodec(codec: TextCodec): void;
  pool: pg.Pool;
  /** Breaks every connection, so that no statement waits for a server that can't be reached. The next ones connect anew. */
  cut(): void;
  /** Cuts, and refuses every further statement: for a shutdown while the server can't be reached. */
  abandon(): void;
  close(): Promise<void>;
}

/**
 * Statements that are not answered by then fail, and their connection is not used again. The server ends a statement
 * after a minute, and one that changes users' tables after five, so a longer silence is that of a dead connection.
 */
const [answerWithin, changeWithin] = [65_000, 305_000];

/**
 * A new connection that is not made by then is given up: waiting for a free one may take longer. A connection that names
 * its own `connectionTimeoutMillis` has that limit instead.
 */
const [connectWithin, freeWithin] = [8000, 15_000];

/** The driver's message for a statement that was not answered in time. */
export const readTimeout = 'Query read timeout';

/**
 * Named statements are parsed and planned once per connection (1.2–2x the throughput of unnamed ones). The set of
 * texts is the set of statements in our stores; the cap only guards against a builder with endless variants.
 */
const names = new Map<string, string>();
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known) return known;
  if (names.size >= 1000) return undefined;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

/** How statements are sent: behind a pooler, the next transaction may have another server connection. */
interface Sending {
  codec(): TextCodec;
  pooled: boolean;
}

function dbOver(connection: Connection, { codec, pooled }: Sending): Db {
  const query = async (statement: Sql) => {
    const { text, values: given } = compile(statement);
    const name = statement.passing || pooled ? undefined : nameOf(text);
    // Neither side waits unless something has to be sealed or opened.
    const encoded = statement.stores_text ? codec().encode(given) : given;
    const values = encoded instanceof Promise ? await encoded : encoded;
    const result = await noteOutages(
      sendStatement(connection, {
        ...{ text, values, name },
        ...(statement.passing && { query_timeout: changeWithin }),
      }),
    );
    const opening = codec().decode(result, values);
    if (opening) await opening;
    return result;
  };
  return {
    rows: async (statement) => (await query(statement)).rows,
    row: async (statement) => (await query(statement)).rows[0],
    one: async (statement) => required((await query(statement)).rows[0]),
    run: async (statement) => (await query(statement)).rowCount ?? 0,
  };
}

/** Times leave the database as the API sends them: ISO 8601 UTC with milliseconds. Sessions run in UTC. */
function isoTime(text: string): string {
  const fraction = text[19] === '.' ? text.slice(20, text.indexOf('+', 20)) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.TIMESTAMPTZ) return isoTime;
    // A day is a day, in no time zone.
    if (oid === pg.types.builtins.DATE) return String;
    // Counts arrive as bigint; all numbers that we store fit a double.
    if (oid === pg.types.builtins.INT8) return Number;
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * The server ends transactions that stand still for so long, and with them the locks of a node that has died or lost its
 * network. As long as a lease, which another node has to wait for anyway; no transaction waits for anything but statements.
 */
const idleTransactionMs = 10_000;

/** What a DATABASE_URL asks of its sessions (a search_path, say) is kept, but for the time zone: `isoTime` needs UTC. */
function withSession(connection: pg.PoolConfig, more = ''): pg.PoolConfig {
  const limits = `-c statement_timeout=60000 -c idle_in_transaction_session_timeout=${idleTransactionMs}${more}`;
  const options = (own: string | null | undefined) => `${limits} ${own ?? ''} -c timezone=UTC`;
  if (connection.connectionString === undefined) return { ...connection, options: options(connection.options) };
  // Only the part after the question mark is touched: a socket's address has no host, which URL does not take.
  const [address, query = ''] = connection.connectionString.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  parameters.set('options', options(parameters.get('options')));
  return { ...connection, connectionString: `${address}?${parameters}` };
}

export interface PoolOptions {
  connection: pg.PoolConfig;
  max: number;
  log: Log;
  /** The connection leads through a pooler that may give each transaction another server connection. */
  pooled?: boolean;
  /** Settings of the sessions, as the command line of the server takes them; begins with a space. */
  settings?: string;
}

/** Poolers refuse unknown start parameters. The time zone is one of the settings that they keep for a client. */
const pooledSession: pg.PoolConfig = { onConnect: (client) => client.query(`set timezone to 'UTC'`) };

/** A pooler keeps no other settings, so each transaction makes its own. */
const pooledSettings = `set local statement_timeout = 60000;
  set local idle_in_transaction_session_timeout = ${idleTransactionMs}; set local timezone = UTC`;

const sessionOf = ({ connection, pooled, settings }: PoolOptions): pg.PoolConfig =>
  pooled ? { ...connection, ...pooledSession } : withSession(connection, settings);

/** An idle connection takes 2 to 7 MB of the database server, a new one takes it some milliseconds. */
const idleMs = 8000;

export function openPool(options: PoolOptions, more: pg.PoolConfig = {}): RefusingPool {
  const pool = new RefusingPool({
    ...sessionOf(options),
    max: options.max,
    types,
    application_name: `atrium ${process.pid}`,
    connectionTimeoutMillis: Math.max(freeWithin, options.connection.connectionTimeoutMillis ?? 0),
    idleTimeoutMillis: idleMs,
    query_timeout: answerWithin,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...more,
  });
  // The pool replaces a lost connection, and the statement that used it fails; without a listener the event ends the process.
  const lost = (error: Error) => options.log.debug('A database connection was lost', errorFields(error));
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));
  return pool;
}

/**
 * A table that was analyzed when it was small seems to be read faster as a whole than by some of its keys, and the plan stays
 * while the table grows. Statements of `grouped` never want to read a whole table. One that waits for a lock fails soon, and
 * each of its parts is then done alone, on another connection.
 */
const lookUpByKeys =
  ' -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c lock_timeout=2000';
const groupedConnections = (max: number) => Math.ceil(max / 4);

/** Statements go through the spare pool while all connections of the other are busy: those of one workspace may wait long. */
const withSpare = (first: pg.Pool, spare: pg.Pool): Connection => {
  const hasRoom = () => first.idleCount > 0 || first.totalCount < first.options.max;
  const query = (...given: Parameters<Connection['query']>) => (hasRoom() ? first : spare).query(...given);
  return { query: query as Connection['query'] };
};

/** Triggers of the database note who has changed a record. In one message with `begin`, so that it costs no round trip. */
function beginAs(scope: Scope | undefined, pooled: boolean): string {
  const id = scope && actorId(scope);
  const begin = pooled ? `begin; ${pooledSettings}` : 'begin';
  return id && /^[0-9a-f-]{36}$/i.test(id) ? `${begin}; set local atrium.actor = '${id}'` : begin;
}

/** The connection is dead, or was ended, or leads to a server that may not write, such as a standby after a fail-over. */
const isUseless = (error: unknown) =>
  ['25006', '25P03', '57P01', '57P02', '57P03'].includes(String(errorCode(error))) ||
  (error instanceof Error && error.message === readTimeout);

export function openDatabase(options: PoolOptions): Database {
  /** Also those that are still connecting, which the pool does not tell of. */
  const clients = new Set<WatchedClient>();
  const connectionTimeoutMillis = options.connection.connectionTimeoutMillis ?? connectWithin;
  class KnownClient extends WatchedClient {
    constructor(given: pg.ClientConfig) {
      // The pool hides the password from copies.
      super({ ...given, password: given.password, connectionTimeoutMillis });
      clients.add(this);
      this.once('end', () => clients.delete(this));
    }
  }
  const Client = KnownClient as unknown as new () => pg.Client;
  const pool = openPool(options, { Client });
  const groupedPool = options.pooled
    ? pool
    : openPool({ ...options, max: groupedConnections(options.max), settings: lookUpByKeys }, { Client });
  const stopWatching = options.pooled
    ? () => {}
    : breakDeadConnections({ clients, connection: sessionOf(options), log: options.log });
  let ended: Promise<void> | undefined;
  let codec = plainText;
  const sending: Sending = { codec: () => codec, pooled: options.pooled ?? false };
  const outside = dbOver(pool as unknown as Connection, sending);
  const database: Database = {
    ...outside,
    pool,
    grouped: groupedPool === pool ? outside : dbOver(withSpare(groupedPool, pool), sending),
    write: (scope, work) =>
      scope.idempotency || scope.audit?.isPending || scope.save_check?.isPending
        ? database.transaction(scope, work)
        : work(database),
    async transaction(scope, work) {
      const client = await noteOutages(pool.connect());
      try {
        await noteOutages(client.query(beginAs(scope, sending.pooled)));
        const run = async (text: string, given: unknown[]) => {
          const values = given.some(isStoredText) ? await codec.encode(given) : given;
          return sendStatement(client, { name: sending.pooled ? undefined : nameOf(text), text, values });
        };
        const check = scope?.save_check?.isPending ? scope.save_check : undefined;
        await check?.lock(run);
        const result = await work(dbOver(client, sending));
        check?.verify();
        await scope?.idempotency?.store(run, result);
        if (scope?.audit?.isPending) await scope.audit.store(run, result);
        await noteOutages(client.query('commit'));
        client.release();
        scope?.audit?.committed();
        check?.committed();
        return result;
      } catch (error) {
        // A connection that can't roll back is broken: it is thrown away rather than handed to the next caller.
        if (isUseless(error)) client.release(asError(error));
        else
          await client.query('rollback').then(
            () => client.release(),
            (broken: Error) => client.release(broken),
          );
        throw error;
      }
    },
    useTextCodec(given) {
      codec = given;
    },
    cut() {
      for (const client of clients) breakConnection(client);
    },
    abandon() {
      database.cut();
      void database.close();
      for (const one of new Set([pool, groupedPool])) one.refuseWaiting();
    },
    close: () => {
      stopWatching();
      ended ??= Promise.all([...new Set([pool, groupedPool])].map((one) => one.end())).then(() => undefined);
      return ended;
    },
  };
  return database;
}

/** Whether an error says that a unique constraint would be violated. */
export const isDuplicate = (error: unknown): boolean => errorCode(error) === '23505';
