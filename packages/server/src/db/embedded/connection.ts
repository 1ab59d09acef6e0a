import pg from 'pg';

export interface Connection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export const socketPort = 5432;
// sockaddr_un holds 104 bytes on macOS and 108 on Linux.
const maxSocketPath = 100;

export function fitsSocket(socketDir: string): boolean {
  return Buffer.byteLength(`${socketDir}/.s.PGSQL.${socketPort}`) <= maxSocketPath;
}

export function atriumConnection(host: string, port: number, password: string): Connection {
  return { host, port, user: 'atrium', password, database: 'atrium' };
}

/** Makes the database if absent, and so proves that the server answers; throws the driver's error where it doesn't. */
export async function openDatabase(connection: Connection, timeoutMs: number): Promise<void> {
  try {
    await query(connection, 'SELECT 1', timeoutMs);
  } catch (error) {
    if (sqlState(error) !== '3D000') throw error;
    await query({ ...connection, database: 'postgres' }, `CREATE DATABASE "${connection.database}"`, 60_000);
  }
}

/** The SQLSTATE of an answer that is an error; null where there was no answer. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

async function query(connection: Connection, text: string, timeoutMs: number): Promise<void> {
  const client = new pg.Client({
    ...connection,
    // PGSSLMODE of the environment is not meant for this server.
    ssl: false,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  // A connection that breaks while idle is an event, which unheard would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(text);
  } finally {
    // A server that hangs would leave a polite end() waiting.
    await Promise.race([client.end(), new Promise((resolve) => setTimeout(resolve, 1000).unref())]).catch(() => {});
  }
}
