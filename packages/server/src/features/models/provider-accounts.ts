import { createHash } from 'node:crypto';
import type { ProviderKind } from '@atrium/contract/models/provider-kinds.ts';
import { z } from 'zod';
import { cacheUntilNotified } from '../../db/cache-until-notified.ts';
import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { ProviderAddress, ProviderConfig, ProviderDefinition } from '../../drivers/providers/driver.ts';
import type { KeptConnections } from '../../drivers/web/driver.ts';
import { omit } from '../../lib/omit.ts';
import type { Keyring } from '../keyring/service.ts';
import type { Tenant } from './ports.ts';
import * as store from './store.ts';

/** A provider with its keys, so it never leaves the server. */
export interface ProviderAccount extends ProviderConfig {
  id: string;
  definition: ProviderDefinition;
  /** Over those of the catalogue; of the environment's providers the operator's file has them. */
  prices: store.StoredPrice[];
  enabled: boolean;
  private_allowed: 'environment' | store.AccountRow['private_allowed'];
  /** The connections that requests to its addresses go over. */
  connections: KeptConnections;
  source: 'environment' | 'api';
  created_at: string | null;
  updated_at: string | null;
  etag: string | null;
}

export type Keys = Record<keyof store.KeyHints, string | null>;

const storedKey = z.string().nullable().default(null);
const storedKeys = z.object({ api_key: storedKey, access_key_id: storedKey, secret_access_key: storedKey });

/** The providers of a tenant: those of the environment, and those that its administrators added. */
export interface Accounts {
  /** All of them, also those that are disabled or replaced. */
  every(tenant: Tenant): Promise<ProviderAccount[]>;
  /** Those in use. One that an administrator added replaces the environment's of the same name, also to disable it. */
  all(tenant: Tenant): Promise<ProviderAccount[]>;
  find(tenant: Tenant, id: string): Promise<ProviderAccount | undefined>;
}

/** A stable id for a provider of the environment. */
function environmentId(name: string): string {
  const hex = createHash('sha256').update(`environment provider\0${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const providerSealPurpose = (id: string) => `provider ${id}`;

/** Notified when providers or presets of a tenant change. */
export const providersTopic = 'providers';

const knownAddresses = new WeakMap<object, ProviderAddress[]>();

/**
 * The addresses of an account in the order to try them; without any, the provider's own. The same account always gives
 * the same objects, because models are cached by address.
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
    connections: { fetch, post },
  } = account;
  const common = { provider, api_key, api_version, region, access_key_id, secret_access_key, fetch, post };
  const addresses = (base_urls.length ? base_urls : [null]).map((base_url) => ({ ...common, base_url }));
  knownAddresses.set(account, addresses);
  return addresses;
}

export function makeProviderAccounts(deps: {
  db: Database;
  notifier: Notifier;
  secrets: Keyring;
  /** Every kind of provider. */
  providers: readonly ProviderDefinition[];
  environment: readonly ProviderConfig[];
  /** `guarded` reaches only public and listed addresses, `private` reaches private ones too. */
  connections: { guarded: KeptConnections; private: KeptConnections };
}): Accounts {
  const { db, notifier, secrets } = deps;
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
      prices: [],
      enabled: true,
      private_allowed: 'environment',
      connections: deps.connections.private,
      source: 'environment',
      created_at: null,
      updated_at: null,
      etag: null,
    }),
  );

  async function openAccount(tenant_id: string, row: store.AccountRow): Promise<ProviderAccount> {
    const sealed = await secrets.open(tenant_id, providerSealPurpose(row.id), row.secrets);
    const keys: Keys = storedKeys.parse(JSON.parse(sealed));
    return {
      ...omit(row, ['secrets', 'hints']),
      ...keys,
      definition: definitionOf(row.provider),
      connections: row.private_allowed === null ? deps.connections.guarded : deps.connections.private,
      source: 'api',
    };
  }

  const read = cacheUntilNotified(notifier, providersTopic, async (tenant_id): Promise<ProviderAccount[]> => {
    const rows = await store.listAccounts(db, tenant_id);
    return [...fromEnvironment, ...(await Promise.all(rows.map((row) => openAccount(tenant_id, row))))];
  });
  const every = (tenant: Tenant) => read(tenant.tenant_id);

  return {
    every,

    async all(tenant) {
      const byName = new Map((await every(tenant)).map((account) => [account.name, account]));
      return [...byName.values()].filter(({ enabled }) => enabled);
    },

    find: async (tenant, id) => (await every(tenant)).find((account) => account.id === id),
  };
}
