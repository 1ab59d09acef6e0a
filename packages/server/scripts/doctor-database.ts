import pg, { type PoolConfig } from 'pg';
import type { Config } from '../src/config.ts';
import { findPrivateAddresses } from './doctor-addresses.ts';
import { keysWithWideReach, recordsWithoutOwner } from './doctor-owners.ts';
import { hasColumn } from './has-column.ts';
import { withDatabase } from './with-database.ts';

/** Reads a database of any version. Returns lines for the operator, never a stored value. */
export type Check = (client: pg.Client) => Promise<string[]>;

const patience = 10_000;

/** Secrets without `allowed_hosts`: every caller with `variables_read` who saves an address decides where they go. */
const secretsWithoutHosts: Check = async (client) => {
  if (!(await hasColumn(client, 'variables', 'is_secret'))) return ['the database is empty'];
  // The column is missing until the current version of the program has started on this database.
  const unbound = (await hasColumn(client, 'variables', 'allowed_hosts')) ? 'and v.allowed_hosts is null' : '';
  const { rows } = await client.query<{ workspace: string; workspace_id: string; names: string[] }>(
    `select w.name as workspace, w.id as workspace_id, array_agg(v.name order by v.name) as names
     from variables v join workspaces w on w.id = v.workspace_id where v.is_secret ${unbound} group by 1, 2 order by 1, 2`,
  );
  if (rows.length === 0) return ['every secret names the hosts that it may be sent to'];
  return [
    'secrets without allowed_hosts (PATCH /v1/variables/{id} binds one to its hosts):',
    ...rows.map(({ workspace, workspace_id, names }) => `  ${workspace} (${workspace_id}): ${names.join(', ')}`),
  ];
};

/** Providers at private addresses that were stored before the operator or an `org:admin` key had to allow them. */
const providersFromBefore: Check = async (client) => {
  const kept = (await hasColumn(client, 'provider_accounts', 'private_allowed'))
    ? "private_allowed = 'stored_before'"
    : "base_urls <> '{}'";
  if (!(await hasColumn(client, 'provider_accounts', 'base_urls'))) return [];
  const { rows } = await client.query<{ name: string; id: string; base_urls: string[] }>(
    `select name, id, base_urls from provider_accounts where ${kept} order by name, id`,
  );
  const inside = [];
  for (const row of rows) {
    const urls = await findPrivateAddresses(row.base_urls);
    if (urls.length) inside.push(`  ${row.name} (${row.id}): ${urls.join(', ')}`);
  }
  if (inside.length === 0) return ['every provider at a private address was allowed by the operator or by org:admin'];
  return [
    'providers at private addresses from before such addresses had to be allowed (to allow one: PATCH its base_urls with org:admin, or list it in ATRIUM_PROVIDER_ALLOW):',
    ...inside,
  ];
};

const stateWords: Record<string, string> = {
  near: 'near its quota',
  full: 'has reached its quota: new messages, rows and files are refused with 409 quota_reached',
  over_default: 'keeps more than the default quota, which does not hold for it; give it a file_quota_mb',
};

/** Workspaces that the last measurement found near their quota or beyond it. */
const storageQuotas: Check = async (client) => {
  if (!(await hasColumn(client, 'stored_bytes', 'state'))) return [];
  const { rows } = await client.query<{ workspace: string; workspace_id: string; state: string; mb: number }>(
    `select w.name as workspace, w.id as workspace_id, s.state, round((s.message_bytes + s.log_bytes + s.row_bytes +
       s.added_bytes + coalesce(b.bytes, 0)) / 1048576.0)::int as mb
     from stored_bytes s join workspaces w on w.id = s.workspace_id
       left join byte_accounts b on b.workspace_id = w.id and b.kind = 'workspace'
     where s.state <> 'ok' order by 4 desc, 1, 2`,
  );
  if (rows.length === 0) return ['no workspace is near its quota of messages, runs, rows and files'];
  return [
    'workspaces by their quotas (PATCH /v1/admin/groups/{group_id} with file_quota_mb, or ATRIUM_WORKSPACE_QUOTA_MB, changes them):',
    ...rows.map(
      ({ workspace, workspace_id, state, mb }) => `  ${workspace} (${workspace_id}): ${mb} MB, ${stateWords[state]}`,
    ),
  ];
};

const checks: readonly Check[] = [
  ...[secretsWithoutHosts, providersFromBefore, storageQuotas],
  ...[recordsWithoutOwner, keysWithWideReach],
];

async function look(connection: PoolConfig): Promise<string[]> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: patience, query_timeout: patience });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('set default_transaction_read_only = on');
    const lines: string[] = [];
    for (const check of checks) lines.push(...(await check(client)));
    return lines;
  } finally {
    await client.end().catch(() => {});
  }
}

/** A driver's message may hold a connection string with its password; its code does not. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message ?? error).replaceAll(/\w+:\/\/\S+/g, '…');
}

export async function storedFindings(
  config: Pick<Config, 'database_url' | 'data_dir'> & Partial<Pick<Config, 'database_direct_url'>>,
): Promise<string[]> {
  let lines: string[] = [];
  try {
    await withDatabase(config, async (connection) => {
      lines = await look(connection);
    });
  } catch (error) {
    lines = [`the database can not be reached, so stored secrets and providers were not checked (${reasonOf(error)})`];
  }
  return lines;
}
