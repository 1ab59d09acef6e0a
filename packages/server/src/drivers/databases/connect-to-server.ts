import type { Socket } from 'node:net';
import pg from 'pg';
import { DatabaseQueryError } from './driver.ts';

export interface Address {
  host: string;
  port: string;
  user: string;
  password: string;
  database: string;
  ssl: false | { servername: string; rejectUnauthorized: boolean };
}

const form = 'postgresql://user:password@host/database';

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new DatabaseQueryError(`the connection string has a % that encodes nothing; write it as %25 (${form})`);
  }
}

/**
 * Reads what a connection needs and nothing else: an option in the string could name a file or a program. Host, user
 * and database have to be there, because the library would take a missing one from the environment of this process.
 */
export function addressOf(dsn: string): Address {
  const url = URL.parse(dsn.trim());
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new DatabaseQueryError(`the variable does not hold a connection string (${form})`);
  const [user, database] = [decode(url.username), decode(url.pathname.slice(1))];
  const missing = Object.entries({ host: url.hostname, user, database }).flatMap(([name, value]) =>
    value.trim() ? [] : [name],
  );
  if (missing.length)
    throw new DatabaseQueryError(`the connection string names no ${missing.join(' and no ')} (${form})`);
  const mode = url.searchParams.get('sslmode');
  const checks = mode === 'verify-full' || mode === 'verify-ca';
  const ssl =
    checks || mode === 'require' ? ({ servername: url.hostname, rejectUnauthorized: checks } as const) : false;
  return { host: url.hostname, port: url.port || '5432', user, password: decode(url.password), database, ssl };
}

/** A socket that is open and checked, for a library that wants to open one itself. */
function opened(socket: Socket): Socket {
  socket.connect = () => {
    process.nextTick(() => socket.emit('connect'));
    return socket;
  };
  return socket;
}

/**
 * A client of that address alone. The library reads PG* variables and the password file for each parameter that is
 * missing or empty: they belong to the operator, and the address to the author of the connection string.
 */
export function connectTo(address: Address, socket: Socket, limits: pg.ClientConfig): pg.Client {
  const { host, port, user, password, database, ssl } = address;
  const client = new pg.Client({
    ...{ host, port: Number(port), user, database, ssl, sslnegotiation: 'postgres' },
    // A function is asked instead of PGPASSWORD and the password file, also where the answer is empty.
    password: () => password,
    ...{ client_encoding: 'UTF8', application_name: 'atrium', stream: () => opened(socket) },
    ...limits,
  } as pg.ClientConfig);
  const { connectionParameters } = client as unknown as { connectionParameters: Record<string, unknown> };
  // These two have no value that stands for "none".
  Object.assign(connectionParameters, { options: undefined, replication: undefined });
  client.on('error', () => {});
  return client;
}
