import type { ProviderDefinition } from '../../drivers/providers/driver.ts';
import type { Catalogue } from './catalogue.ts';
import type { OfferedModels } from './offered-models.ts';
import type { FindRankingService, ModelLocator } from './ports.ts';
import { type Accounts, addressesOf, type ProviderAccount } from './provider-accounts.ts';

type AccountOfModel = { account: ProviderAccount; model: string } | { reason: string };

/** Finds the account that a model's name refers to, among those of a tenant. */
export type FindAccount = (name: string, accounts: readonly ProviderAccount[]) => Promise<AccountOfModel>;

/**
 * `provider/model` names the account; a bare name belongs to the provider that has such a model, else to an account that
 * takes names that no provider is known to have.
 */
export function makeFindAccount(deps: {
  providers: readonly ProviderDefinition[];
  catalogue: Catalogue;
  offers: OfferedModels;
}): FindAccount {
  const { providers, catalogue, offers } = deps;
  const definitionOf = (kind: string | undefined) => providers.find(({ name }) => name === kind);
  const notConfigured = (name: string) => {
    const hint = definitionOf(name)?.environment.hint;
    const set = hint ? `set ${hint}, or add it` : 'add it';
    return { reason: `The provider ${name} is not configured: ${set} at /v1/admin/providers` };
  };

  return async (name, accounts) => {
    const slash = name.indexOf('/');
    const [prefix, rest] = slash > 0 ? [name.slice(0, slash), name.slice(slash + 1)] : [undefined, name];
    const named = accounts.find((account) => account.name === prefix);
    if (named && rest) return { account: named, model: rest };

    const listing = accounts.find((account) => account.models.includes(name));
    if (listing) return { account: listing, model: name };
    const family = catalogue.providerOf(name);
    const home = accounts.find((account) => account.provider === family && offers.isAtHome(account));
    if (home && prefix === undefined) return { account: home, model: name };
    for (const account of accounts)
      if (!offers.isAtHome(account) && (await offers.of(account)).includes(name)) return { account, model: name };

    if (prefix !== undefined && definitionOf(prefix)) return notConfigured(prefix);
    const [open] = providers
      .filter(({ names }) => names.takes_unknown)
      .flatMap((definition) => accounts.find((account) => account.provider === definition.name) ?? []);
    // A provider's own address certainly lacks the models of another maker.
    if (open && !(offers.isAtHome(open) && family !== undefined && family !== open.provider))
      return { account: open, model: name };
    if (family !== undefined) return notConfigured(family);
    return {
      reason:
        `No configured provider has a model called ${name}: name it as provider/model, or configure its provider ` +
        'at /v1/admin/providers',
    };
  };
}

export const makeModelLocator =
  (deps: { accounts: Accounts; catalogue: Catalogue; findAccount: FindAccount }): ModelLocator =>
  async (tenant, name) => {
    const found = await deps.findAccount(name, await deps.accounts.all(tenant));
    if ('reason' in found) return found;
    const { account, model } = found;
    const { price } = deps.catalogue.facts(account, model);
    return { name: `${account.name}/${model}`, model, price, addresses: addressesOf(account) };
  };

export const makeFindRankingService =
  (locateModel: ModelLocator): FindRankingService =>
  async (tenant, name) => {
    const found = await locateModel(tenant, name);
    if ('reason' in found) return undefined;
    const [address] = found.addresses;
    if (!address?.base_url) return undefined;
    const { base_url: url, api_key, fetch } = address;
    return { url, api_key, fetch, model: found.model };
  };
