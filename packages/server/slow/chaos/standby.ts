import { appendFile, copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clusterPaths } from '../../src/db/embedded/cluster.ts';
import { atriumConnection, type Connection, socketPort } from '../../src/db/embedded/connection.ts';
import { readPostmasterFile, stopPostmaster } from '../../src/db/embedded/postmaster.ts';
import { type EmbeddedServer, startEmbedded } from '../../src/db/embedded/start-embedded.ts';
import { errorCode } from '../../src/lib/error-code.ts';

/** Of these folders a server that starts needs only the name; the files belong to the running server. */
const leftOut =
  /^(pg_wal|pg_replslot|pg_stat_tmp|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_subtrans)\/|^postmaster\.|pgsql_tmp/;

async function withClient<T>(connection: Connection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000, query_timeout: 60_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Repeats a question until its answer is true, half a minute at most. */
async function untilTrue(what: string, connection: Connection, query: string): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(50)) {
    const rows = await withClient(connection, async (client) => (await client.query(query)).rows).catch(() => []);
    if (rows.length > 0) return;
  }
  throw new Error(`${what}: it did not come to pass`);
}

/** Copies a cluster while it is written to; its log is left to be read from the server. */
async function copyCluster(connection: Connection, from: string, to: string): Promise<void> {
  await withClient(connection, async (client) => {
    await client.query(`select pg_backup_start('standby', true)`);
    const entries = await readdir(from, { recursive: true, withFileTypes: true });
    const paths = entries.map((entry) => ({
      path: join(entry.parentPath, entry.name).slice(from.length + 1),
      isFolder: entry.isDirectory(),
    }));
    for (const { path, isFolder } of paths) if (isFolder) await mkdir(join(to, path), { recursive: true, mode: 0o700 });
    const copied = paths.filter(({ path, isFolder }) => !isFolder && !leftOut.test(path));
    // It says where the log begins to count, so it comes after the files that the log repairs.
    const isControl = ({ path }: { path: string }) => path === 'global/pg_control';
    for (const { path } of [...copied.filter((file) => !isControl(file)), ...copied.filter(isControl)])
      await copyFile(join(from, path), join(to, path)).catch((error) => {
        // A table that was dropped meanwhile; the log of the server says so.
        if (errorCode(error) !== 'ENOENT') throw error;
      });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o600 });
  });
}

/**
 * Makes a standby of a server that works, lets it follow until each commit waits for it, then kills the server and
 * promotes the standby. Answers the server that the standby has become.
 */
export async function failOver(primary: EmbeddedServer, from: string, to: string): Promise<EmbeddedServer> {
  const [old, next] = [clusterPaths(from), clusterPaths(to)];
  const { connection } = primary;
  await mkdir(next.cluster, { recursive: true, mode: 0o700 });
  await copyFile(old.password, next.password);
  await copyCluster(connection, old.cluster, next.cluster);
  const { host, port, user, password } = connection;
  const source = `host=${host} port=${port} user=${user} password=${password} application_name=standby`;
  await appendFile(join(next.cluster, 'postgresql.auto.conf'), `\nprimary_conninfo = '${source}'\n`);
  await writeFile(join(next.cluster, 'standby.signal'), '', { mode: 0o600 });
  // It is started when it takes writes, which is after the promotion.
  const promoted = startEmbedded({ dir: to });
  promoted.catch(() => {});
  try {
    await untilTrue('it follows', connection, `select from pg_stat_replication where state = 'streaming'`);
    await withClient(connection, async (client) => {
      await client.query(`alter system set synchronous_standby_names = '*'`);
      await client.query('select pg_reload_conf()');
    });
    await untilTrue('commits wait for it', connection, `select from pg_stat_replication where sync_state = 'sync'`);
    process.kill(primary.pid, 'SIGQUIT');
    await primary.stop();
    const standby = atriumConnection(next.socket, socketPort, password);
    await withClient(standby, (client) => client.query('select pg_promote(false)'));
    const server = await promoted;
    await rm(from, { recursive: true, force: true, maxRetries: 5 });
    return server;
  } catch (error) {
    await stopPostmaster(readPostmasterFile(next.cluster)?.pid ?? 0, next.cluster);
    throw error;
  }
}
