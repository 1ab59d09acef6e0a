import { createHash } from 'node:crypto';
import type { ProviderKind } from '@atrium/contract/models/provider-kinds.ts';
import { cacheUntilNotified } from '../../db/cache-until-notified.ts';
import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { ProviderAddress, ProviderConfig, ProviderDefinition } from '../../drivers/providers/driver.ts';
import { omit } from '../../lib/omit.ts';
import type { Keyring } from '../keyring/service.ts';
import type { Tenant } from './ports.ts';
import * as store from './store.ts';

/** A provider that can be asked: with its keys, so it never leaves the server. */
export interface ProviderAccount extends ProviderConfig {
  id: string;
  definition: ProviderDefinition;
  enabled: boolean;
  private_allowed: 'environment' | store.AccountRow['private_allowed'];
  fetch: typeof fetch;
  source: 'environment' | 'api';
  created_at: string | null;
  updated_at: string | null;
}

export type Keys = Record<keyof store.KeyHints, string | null>;
export type Accounts = ReturnType<typeof makeProviderAccounts>;

/** An id that stays the same as long as the variable's provider does. */
function environmentId(name: string): string {
  const hex = createHash('sha256').update(`environment provider\0${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const providerSealPurpose = (id: string) => `provider ${id}`;

/** Rung when a tenant's providers or presets were changed. */
export const providersTopic = 'providers';

const knownAddresses = new WeakMap<object, ProviderAddress[]>();

/**
 * One address after the other; a provider with none is spoken to at its own. The same account has the same ones: what
 * is kept for an address lives as long as the account is known.
 */
export function addressesOf(account: ProviderAccount): readonly ProviderAddress[] {
  const known = knownAddresses.get(account);
  if (known) return known;
  const {
    definition: provider,
    base_urls,
    api_key,
    api_version,
    region,
    access_key_id,
    secret_access_key,
    fetch,
  } = account;
  const common = { provider, api_key, api_version, region, access_key_id, secret_access_key, fetch };
  const addresses = (base_urls.length ? base_urls : [null]).map((base_url) => ({ ...common, base_url }));
  knownAddresses.set(account, addresses);
  return addresses;
}

/** The providers of a tenant: those of the environment, and those that its administrators made. */
export function makeProviderAccounts(deps: {
  db: Database;
  notifier: Notifier;
  secrets: Keyring;
  /** Every kind of provider. */
  providers: readonly ProviderDefinition[];
  environment: readonly ProviderConfig[];
  /** The ways to public and listed addresses alone, and to private ones too. */
  fetches: { guarded: typeof fetch; private: typeof fetch };
}) {
  const { db, notifier, secrets, fetches } = deps;
  const definitions = new Map(deps.providers.map((definition) => [definition.name, definition]));
  function definitionOf(kind: ProviderKind): ProviderDefinition {
    const definition = definitions.get(kind);
    if (!definition) throw new Error(`There is no driver for providers of the kind ${kind}`);
    return definition;
  }
  const fromEnvironment = deps.environment.map(
    (config): ProviderAccount => ({
      ...config,
      id: environmentId(config.name),
      definition: definitionOf(config.provider),
      enabled: true,
      private_allowed: 'environment',
      fetch: fetches.private,
      source: 'environment',
      created_at: null,
      updated_at: null,
    }),
  );

  async function opened(tenant_id: string, row: store.AccountRow): Promise<ProviderAccount> {
    const keys = JSON.parse(await secrets.open(tenant_id, providerSealPurpose(row.id), row.secrets)) as Keys;
    const fetch = row.private_allowed === null ? fetches.guarded : fetches.private;
    return {
      ...omit(row, ['secrets', 'hints']),
      ...keys,
      definition: definitionOf(row.provider),
      fetch,
      source: 'api',
    };
  }

  const read = cacheUntilNotified(notifier, providersTopic, async (tenant_id): Promise<ProviderAccount[]> => {
    const rows = await store.listAccounts(db, tenant_id);
    return [...fromEnvironment, ...(await Promise.all(rows.map((row) => opened(tenant_id, row))))];
  });
  const every = (tenant: Tenant) => read(tenant.tenant_id);

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
