import { conflict, invalid, notFound } from '@atrium/contract/errors.ts';
import type {
  Provider,
  ProviderCreate,
  ProviderHealth,
  ProviderPatch,
  ProviderTest,
} from '@atrium/contract/models/schema.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { type Database, type Db, isDuplicate } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { ModelError } from '../../drivers/models/driver.ts';
import { findMissingField, type ProviderAddress, type ProviderDefinition } from '../../drivers/providers/driver.ts';
import type { KeptConnections } from '../../drivers/web/driver.ts';
import { newId } from '../../lib/ids.ts';
import { omit } from '../../lib/omit.ts';
import type { Scope } from '../../lib/scope.ts';
import { coverTexts } from '../../lib/secrets/cover-texts.ts';
import type { Keyring } from '../keyring/service.ts';
import {
  type Accounts,
  addressesOf,
  type Keys,
  type ProviderAccount,
  providerSealPurpose,
  providersTopic,
} from './provider-accounts.ts';
import { checkAddresses, requireKeysForNewAddress, sendsToNewAddress } from './provider-addresses.ts';
import { type CallsOfProviders, healthOf } from './provider-health.ts';
import * as store from './store.ts';

/** Administration of providers. Keys are stored encrypted and shown masked only. */
export interface Providers {
  list(scope: Scope): Promise<Provider[]>;
  /** How each of them has answered lately. */
  health(scope: Scope): Promise<ProviderHealth[]>;
  get(scope: Scope, id: string): Promise<Provider>;
  create(scope: Scope, input: ProviderCreate): Promise<Provider>;
  update(scope: Scope, id: string, patch: ProviderPatch): Promise<Provider>;
  remove(scope: Scope, id: string): Promise<void>;
  /** Asks every address for its models: the cheapest request that needs a valid key. */
  test(scope: Scope, id: string): Promise<ProviderTest>;
  /** The same for a provider that is not stored. */
  tryOut(scope: Scope, input: ProviderCreate): Promise<ProviderTest>;
}

type Draft = Pick<
  ProviderAccount,
  'name' | 'provider' | 'base_urls' | 'api_version' | 'region' | 'models' | 'prices' | 'enabled'
> &
  Keys & { private_allowed: store.AccountRow['private_allowed'] };

/** The last four characters of a long key: enough to recognise it, not to use it. */
export const mask = (key: string | null) => (key === null ? null : `********${key.length >= 12 ? key.slice(-4) : ''}`);

/** What was left out is stored as null. */
const pricesOf = (prices: ProviderCreate['prices']): store.StoredPrice[] =>
  prices.map(({ model = null, input, output, cached_input = null }) => ({ model, input, output, cached_input }));

const hintsOf = ({ api_key, access_key_id, secret_access_key }: Keys): store.KeyHints => ({
  api_key: mask(api_key),
  access_key_id: mask(access_key_id),
  secret_access_key: mask(secret_access_key),
});

const maskAccount = (account: ProviderAccount): Provider => ({
  ...omit(account, ['connections', 'definition']),
  ...hintsOf(account),
});

/** Refuses a name that refers to something else, and an account that lacks a field its provider needs. */
function checkComplete(draft: Draft, providers: readonly ProviderDefinition[]): void {
  const { name, provider } = draft;
  if (['atrium', 'preset'].includes(name) || (name !== provider && providers.some((kind) => kind.name === name)))
    throw invalid(['body', 'name'], `the name ${name} would be taken for something else`, name);
  const definition = providers.find((kind) => kind.name === provider);
  const twice = draft.prices.findIndex(
    ({ model }, at) => draft.prices.findIndex((other) => other.model === model) < at,
  );
  if (twice >= 0)
    throw invalid(['body', 'prices', String(twice), 'model'], 'it has a price already', draft.prices[twice]?.model);
  const missing = definition && findMissingField(definition, draft);
  if (missing) throw invalid(['body', missing.field], missing.reason, draft[missing.field]);
}

const targetOf = ({ id, name }: { id: string; name: string }) => ({ kind: 'provider', id, name });

async function refuseDuplicate<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isDuplicate(error) ? conflict(`There is already a provider named ${name}`) : error;
  }
}

export function makeProviders(deps: {
  db: Database;
  notifier: Notifier;
  accounts: Accounts;
  /** What the calls of the organization say about its providers. */
  callsOf(tenant_id: string): Promise<CallsOfProviders>;
  /** Every kind of provider. */
  providers: readonly ProviderDefinition[];
  secrets: Keyring;
  listModels(address: ProviderAddress, signal: AbortSignal): Promise<string[]>;
  /** `guarded` reaches only public and listed addresses, `private` reaches private ones too. */
  connections: { guarded: KeptConnections; private: KeptConnections };
  /** Classifies an address by its text alone: `private`, `metadata` or something harmless. */
  addressKind(url: string): string;
}): Providers {
  const { db, notifier, accounts, secrets, addressKind } = deps;
  const isAdmin = ({ permissions }: Scope) => allows(permissions, 'org:admin');

  async function find(scope: Scope, id: string): Promise<ProviderAccount> {
    const account = await accounts.find(scope, id);
    if (!account) throw notFound('provider');
    return account;
  }

  async function findOwn(scope: Scope, id: string): Promise<ProviderAccount> {
    const account = await find(scope, id);
    if (account.source === 'environment')
      throw conflict(
        'This provider is configured by the environment; change it there, or make one of the same name here',
      );
    return account;
  }

  async function rowOf(scope: Scope, id: string, draft: Draft) {
    const { api_key, access_key_id, secret_access_key, ...rest } = draft;
    checkComplete(draft, deps.providers);
    const keys: Keys = { api_key, access_key_id, secret_access_key };
    const box = await secrets.seal(scope.tenant_id, providerSealPurpose(id), JSON.stringify(keys));
    const base_urls = rest.base_urls.map((url) => url.replace(/\/+$/, ''));
    return { ...rest, id, base_urls, secrets: box, hints: hintsOf(keys) };
  }

  const answerOf = (row: store.AccountRow): Provider => ({
    ...omit(row, ['secrets', 'hints']),
    ...row.hints,
    source: 'api',
  });

  /** Every node drops its cache with the commit; this one before the caller gets its answer. */
  async function changeProviders<T>(scope: Scope, change: (tx: Db) => Promise<T>): Promise<T> {
    const changed = await db.transaction(scope, async (tx) => {
      const result = await change(tx);
      await notifier.notify(tx, providersTopic);
      return result;
    });
    notifier.notifyLocal(providersTopic);
    return changed;
  }

  const draftOf = (scope: Scope, input: ProviderCreate): Draft => ({
    ...input,
    prices: pricesOf(input.prices),
    name: input.name ?? input.provider,
    api_version: input.api_version ?? null,
    region: input.region ?? null,
    api_key: input.api_key ?? null,
    access_key_id: input.access_key_id ?? null,
    secret_access_key: input.secret_access_key ?? null,
    private_allowed: isAdmin(scope) ? 'org_admin' : null,
  });

  async function testAccount(account: ProviderAccount, signal: AbortSignal): Promise<ProviderTest> {
    const addresses = await Promise.all(addressesOf(account).map((address) => testAddress(address, signal)));
    return { success: addresses.every(({ ok }) => ok), addresses };
  }

  async function testAddress(
    address: ProviderAddress,
    signal: AbortSignal,
  ): Promise<ProviderTest['addresses'][number]> {
    const started = Date.now();
    const result = (ok: boolean, status: number | null, message: string, models: string[] = []) => ({
      base_url: address.base_url,
      ok,
      ms: Date.now() - started,
      status,
      message,
      models,
    });
    try {
      const models = await deps.listModels(address, signal);
      return result(true, 200, `It answered with ${models.length} model${models.length === 1 ? '' : 's'}`, models);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      return result(false, error.status ?? null, error.message);
    }
  }

  return {
    list: async (scope) => (await accounts.every(scope)).map(maskAccount),
    health: async (scope) => healthOf(await accounts.every(scope), await deps.callsOf(scope.tenant_id)),
    get: async (scope, id) => maskAccount(await find(scope, id)),

    async create(scope, input) {
      checkAddresses(input.base_urls, addressKind, { private_allowed: isAdmin(scope) });
      const row = await rowOf(scope, newId(), draftOf(scope, input));
      return refuseDuplicate(row.name, () =>
        changeProviders(scope, async (tx) => {
          const made = answerOf(await store.insertAccount(tx, scope.tenant_id, row));
          scope.audit?.note({ after: made, target: targetOf(made) });
          return made;
        }),
      );
    },

    async update(scope, id, patch) {
      const before = await findOwn(scope, id);
      // A client that sends the mask back does not change the key.
      const hints = new Map<string, unknown>(Object.entries(hintsOf(before)));
      const changes = { ...patch, ...(patch.prices && { prices: pricesOf(patch.prices) }) };
      const given: Partial<Draft> = Object.fromEntries(
        Object.entries(changes).filter(([name, value]) => value !== undefined && value !== hints.get(name)),
      );
      const after = { ...before, ...given };
      const moved = sendsToNewAddress(before, after);
      if (moved) requireKeysForNewAddress(before, given, after.base_urls);
      const allowed = moved || before.private_allowed === 'environment' ? null : before.private_allowed;
      const private_allowed = given.base_urls && isAdmin(scope) ? 'org_admin' : allowed;
      if (moved) checkAddresses(after.base_urls, addressKind, { private_allowed: private_allowed !== null });
      const row = await rowOf(scope, id, { ...after, private_allowed });
      return refuseDuplicate(row.name, () =>
        changeProviders(scope, async (tx) => {
          const after = await store.updateAccount(tx, scope.tenant_id, row);
          if (!after) throw notFound('provider');
          const answer = answerOf(after);
          scope.audit?.note({ before: { ...answer, ...maskAccount(before) }, after: answer, target: targetOf(answer) });
          return answer;
        }),
      );
    },

    async remove(scope, id) {
      await findOwn(scope, id);
      await changeProviders(scope, (tx) => store.deleteAccount(tx, scope.tenant_id, id));
    },

    async test(scope, id) {
      return testAccount(await find(scope, id), scope.signal);
    },

    async tryOut(scope, input) {
      checkAddresses(input.base_urls, addressKind, { private_allowed: isAdmin(scope) });
      const draft = draftOf(scope, input);
      checkComplete(draft, deps.providers);
      const definition = deps.providers.find(({ name }) => name === draft.provider);
      if (!definition) throw notFound('kind of provider');
      const result = await testAccount(
        {
          ...{ ...draft, id: newId(), definition, source: 'api', created_at: null, updated_at: null, etag: null },
          base_urls: draft.base_urls.map((url) => url.replace(/\/+$/, '')),
          connections: draft.private_allowed === null ? deps.connections.guarded : deps.connections.private,
        },
        scope.signal,
      );
      // A server may repeat the keys that it was sent.
      return coverTexts(result, [draft.api_key, draft.access_key_id, draft.secret_access_key]);
    },
  };
}
