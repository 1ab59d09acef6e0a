import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

/** An identity provider as stored; its secret is sealed. */
export interface ProviderRow {
  id: string;
  tenant_id: string;
  name: string;
  issuer: string;
  client_id: string;
  client_secret: string | null;
  scope: string;
  enabled: boolean;
  create_accounts: boolean;
  allowed_domains: string[];
  email_verified_required: boolean;
  created_at: string;
  updated_at: string;
  etag: string;
}
export type NewProvider = Omit<ProviderRow, 'created_at' | 'updated_at' | 'etag'>;

/** What a value of a claim gives; without a claim, what every account gets that the provider created. */
export interface MappingRow {
  claim: string | null;
  value: string | null;
  workspace_id: string;
  role_id: string;
}

const columns = sql`id, tenant_id, name, issuer, client_id, client_secret, scope, enabled, create_accounts,
  allowed_domains, email_verified_required, created_at, updated_at, etag::text as etag`;

export const listProviders = (db: Db, tenant_id: string) =>
  db.rows<ProviderRow>(sql`
    select ${columns} from identity_providers where tenant_id = ${tenant_id} order by name, id`);

/** The providers that the sign-in page offers. */
export const listOfferedProviders = (db: Db) =>
  db.rows<{ id: string; name: string }>(sql`
    select id, name from identity_providers where enabled order by name, id limit 100`);

export const findProvider = (db: Db, tenant_id: string, id: string) =>
  db.row<ProviderRow>(sql`select ${columns} from identity_providers where tenant_id = ${tenant_id} and id = ${id}`);

export const lockProvider = (tx: Db, tenant_id: string, id: string) =>
  tx.row<ProviderRow>(sql`
    select ${columns} from identity_providers where tenant_id = ${tenant_id} and id = ${id} for update`);

/** A provider that people can sign in with, of whichever tenant. */
export const findEnabledProvider = (db: Db, id: string) =>
  db.row<ProviderRow>(sql`select ${columns} from identity_providers where id = ${id} and enabled`);

/** The same, as it stays until the transaction ends. */
export const shareEnabledProvider = (tx: Db, id: string) =>
  tx.row<ProviderRow>(sql`select ${columns} from identity_providers where id = ${id} and enabled for share`);

export const hasName = async (tx: Db, { tenant_id, id, name }: NewProvider) =>
  (await tx.row(sql`
    select id from identity_providers where tenant_id = ${tenant_id} and name = ${name} and id <> ${id}`)) !==
  undefined;

export const insertProvider = (tx: Db, row: NewProvider) =>
  tx.one<ProviderRow>(sql`
    insert into identity_providers (id, tenant_id, name, issuer, client_id, client_secret, scope, enabled,
      create_accounts, allowed_domains, email_verified_required)
    values (${row.id}, ${row.tenant_id}, ${row.name}, ${row.issuer}, ${row.client_id}, ${row.client_secret},
      ${row.scope}, ${row.enabled}, ${row.create_accounts}, ${row.allowed_domains}, ${row.email_verified_required})
    returning ${columns}`);

export const updateProvider = (tx: Db, row: NewProvider) =>
  tx.one<ProviderRow>(sql`
    update identity_providers set name = ${row.name}, issuer = ${row.issuer}, client_id = ${row.client_id},
      client_secret = ${row.client_secret}, scope = ${row.scope}, enabled = ${row.enabled},
      create_accounts = ${row.create_accounts}, allowed_domains = ${row.allowed_domains},
      email_verified_required = ${row.email_verified_required}, updated_at = now()
    where tenant_id = ${row.tenant_id} and id = ${row.id}
    returning ${columns}`);

export const deleteProvider = (tx: Db, tenant_id: string, id: string) =>
  tx.run(sql`delete from identity_providers where tenant_id = ${tenant_id} and id = ${id}`);

export const listMappings = (db: Db, provider_id: string) =>
  db.rows<MappingRow>(sql`
    select claim, value, workspace_id, role_id from identity_provider_mappings
    where provider_id = ${provider_id} order by position`);

export const listMappingsOf = (db: Db, tenant_id: string) =>
  db.rows<MappingRow & { provider_id: string }>(sql`
    select provider_id, claim, value, workspace_id, role_id from identity_provider_mappings
    where tenant_id = ${tenant_id} order by provider_id, position`);

export async function replaceMappings(
  tx: Db,
  { id, tenant_id }: Pick<ProviderRow, 'id' | 'tenant_id'>,
  rows: readonly MappingRow[],
): Promise<void> {
  await tx.run(sql`delete from identity_provider_mappings where provider_id = ${id}`);
  if (rows.length === 0) return;
  const of = <K extends keyof MappingRow>(name: K) => rows.map((row) => row[name]);
  await tx.run(sql`
    insert into identity_provider_mappings (provider_id, position, tenant_id, claim, value, workspace_id, role_id)
    select ${id}::uuid, m.position, ${tenant_id}::uuid, m.claim, m.value, m.workspace_id, m.role_id
    from unnest(${of('claim')}::text[], ${of('value')}::text[], ${of('workspace_id')}::uuid[], ${of('role_id')}::uuid[])
      with ordinality as m (claim, value, workspace_id, role_id, position)`);
}
