import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg, { type PoolConfig } from 'pg';
import { errorCode } from '../../src/lib/error-code.ts';
import { describeEntry, readExactly } from './archive-stream.ts';

/** Folders of which a server that starts needs only the name, and files that belong to the running server. */
const emptied = /^(pg_wal|pg_replslot|pg_stat_tmp|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_subtrans)\//;
const skipped = /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*)$|(^|\/)pgsql_tmp/;
const isSegment = /^[0-9A-F]{24}$/;

async function* archiveFile(root: string, path: string): AsyncGenerator<Buffer> {
  const facts = await stat(join(root, path)).catch((error: unknown) => {
    // A table that was dropped meanwhile; the log of the server says so.
    if (errorCode(error) !== 'ENOENT') throw error;
  });
  if (!facts?.isFile()) return;
  yield describeEntry({ path, size: facts.size });
  yield* readExactly(join(root, path), facts.size);
}

async function* archiveText(path: string, text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  yield describeEntry({ path, size: bytes.length });
  yield bytes;
}

/** The log between the begin and the end of the copy, without which the copy is of no use. */
async function* archiveLog(cluster: string, first: string, last: string): AsyncGenerator<Buffer> {
  for (const name of (await readdir(join(cluster, 'pg_wal'))).sort())
    if ((isSegment.test(name) && name >= first && name <= last) || name.endsWith('.history'))
      yield* archiveFile(cluster, `pg_wal/${name}`);
}

/**
 * Copies the embedded database while it is written to. A temporary replication slot keeps the log until the connection
 * ends, also when this process is killed.
 */
export async function* copyCluster(connection: PoolConfig, cluster: string): AsyncGenerator<Buffer> {
  const client = new pg.Client({ ...connection, application_name: 'atrium backup' } as pg.ClientConfig);
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`);
    await client.query(`select pg_create_physical_replication_slot($1, true, true)`, [`atrium_backup_${process.pid}`]);
    await client.query(`select pg_backup_start('atrium backup', true)`);
    const entries = await readdir(cluster, { recursive: true, withFileTypes: true });
    const paths = entries.map((entry) => ({
      path: join(entry.parentPath, entry.name).slice(cluster.length + 1),
      isFolder: entry.isDirectory(),
    }));
    for (const { path, isFolder } of paths)
      if (isFolder && !/^pg_replslot\//.test(path) && !skipped.test(path)) yield describeEntry({ path });
    for (const { path, isFolder } of paths)
      if (!isFolder && !emptied.test(path) && !skipped.test(path) && path !== 'global/pg_control')
        yield* archiveFile(cluster, path);
    // It says where the log begins to count, so it comes after the files that the log repairs.
    yield* archiveFile(cluster, 'global/pg_control');
    const { rows } = await client.query<{ label: string; last: string }>(
      `select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)`,
    );
    const { label, last } = rows[0] as { label: string; last: string };
    const first = /START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/.exec(label)?.[1];
    if (!first) throw new Error('The server did not say where the copy begins');
    yield* archiveText('backup_label', label);
    yield* archiveLog(cluster, first, last);
  } finally {
    await client.end();
  }
}
