import { createHash } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import type { ProviderAddress, ProviderConfig } from '../../lib/provider-address.ts';
import type { Scope } from '../../lib/scope.ts';
import * as store from './store.ts';
import type { TenantSecrets } from './tenant-secrets.ts';

/** A provider that can be asked: with its keys, so it never leaves the server. */
export interface ProviderAccount extends ProviderConfig {
  id: string;
  enabled: boolean;
  source: 'environment' | 'api';
  created_at: string | null;
  updated_at: string | null;
}

export type Keys = Record<keyof store.KeyHints, string | null>;
export type Tenant = Pick<Scope, 'tenant_id'>;
export type Accounts = ReturnType<typeof makeAccounts>;

/** An id that stays the same as long as the variable's provider does. */
function environmentId(name: string): string {
  const hex = createHash('sha256').update(`environment provider\0${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const purposeOf = (id: string) => `provider ${id}`;

/** One address after the other; a provider with none is spoken to at its own. */
export function addressesOf(account: Omit<ProviderConfig, 'name' | 'models'>): ProviderAddress[] {
  const { provider, base_urls, api_key, api_version, region, access_key_id, secret_access_key } = account;
  const common = { provider, api_key, api_version, region, access_key_id, secret_access_key };
  return (base_urls.length ? base_urls : [null]).map((base_url) => ({ ...common, base_url }));
}

/** The providers of a tenant: those of the environment, and those that its administrators made. */
export function makeAccounts(deps: { db: Database; secrets: TenantSecrets; environment: readonly ProviderConfig[] }) {
  const { db, secrets } = deps;
  const fromEnvironment = deps.environment.map(
    (config): ProviderAccount => ({
      ...config,
      id: environmentId(config.name),
      enabled: true,
      source: 'environment',
      created_at: null,
      updated_at: null,
    }),
  );

  async function opened({ tenant_id }: Tenant, row: store.AccountRow): Promise<ProviderAccount> {
    const { secrets: box, hints: _, ...rest } = row;
    const keys = JSON.parse(await secrets.open(tenant_id, purposeOf(row.id), box)) as Keys;
    return { ...rest, ...keys, source: 'api' };
  }

  async function every(tenant: Tenant): Promise<ProviderAccount[]> {
    const rows = await store.listAccounts(db, tenant.tenant_id);
    return [...fromEnvironment, ...(await Promise.all(rows.map((row) => opened(tenant, row))))];
  }

  return {
    every,

    /** Those in use. One made by an administrator stands in for the environment's of the same name, also to turn it off. */
    async all(tenant: Tenant): Promise<ProviderAccount[]> {
      const byName = new Map((await every(tenant)).map((account) => [account.name, account]));
      return [...byName.values()].filter(({ enabled }) => enabled);
    },

    find: async (tenant: Tenant, id: string) => (await every(tenant)).find((account) => account.id === id),
  };
}
