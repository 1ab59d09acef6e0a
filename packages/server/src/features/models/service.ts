import type { ModelInfo, ModelListQuery, PresetSetting } from '@atrium/contract/models/schema.ts';
import { cacheUntilNotified } from '../../db/cache-until-notified.ts';
import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { Model } from '../../drivers/models/driver.ts';
import type { ProviderAddress, ProviderDefinition } from '../../drivers/providers/driver.ts';
import type { AnonymizedModel, Anonymizer, Meter, ModelCaller, StreamMeter } from '../model-calls/ports.ts';
import { noAnonymizer, withAnonymizer, withCallContext } from '../model-calls/service.ts';
import { type Catalogue, unknownModel } from './catalogue.ts';
import { type OfferedModels, type OtherKind, otherKinds } from './offered-models.ts';
import type { FindRankingService, ModelLocator, Tenant } from './ports.ts';
import { type Accounts, addressesOf, type ProviderAccount, providersTopic } from './provider-accounts.ts';
import { isPresetName, type Preference, presetLabels, presetNames, ranked } from './rank-models.ts';
import * as store from './store.ts';

export { fitToModel } from './fit-to-model.ts';
export type { ModelInfo };

export interface ResolvedModel {
  info: ModelInfo;
  /** The same model at each of its provider's addresses, in the order to try them, behind an anonymizer. */
  addresses(anonymizer: Anonymizer): AnonymizedModel[];
}

interface Skipped {
  name: string;
  /** Why it can't be used, and what to do about it. */
  reason: string;
}

export interface Registry {
  /** Finds models by their names in settings. A preset is expanded; models that are not configured are skipped, with a reason. */
  resolve(scope: ModelCaller, names: readonly string[]): Promise<{ models: ResolvedModel[]; skipped: Skipped[] }>;
  /** Those of the names that no configured provider is known to have. */
  unknown(scope: Tenant, names: readonly string[]): Promise<string[]>;
  pick(scope: ModelCaller, preference: Preference): Promise<ResolvedModel[]>;
  /** The language models with the built-in one, unless another kind is asked for. */
  list(scope: Tenant, kind?: ModelListQuery['kind']): Promise<ModelInfo[]>;
  presets(scope: Tenant): Promise<PresetSetting[]>;
}

const extractiveInfo: ModelInfo = {
  ...unknownModel,
  name: 'atrium/extractive',
  provider: 'atrium',
  model: 'extractive',
  kind: 'extractive',
  price: { input: 0, cached_input: 0, output: 0 },
  quality: 1,
  speed: 10,
};

export interface RegistryDeps {
  db: Database;
  notifier: Notifier;
  accounts: Accounts;
  catalogue: Catalogue;
  offers: OfferedModels;
  findAccount: FindAccount;
  makeModel(address: ProviderAddress, model: string): Model;
  /** The built-in model, for when there is no other. */
  extractive: Model;
  /** Records every call. */
  meter: Meter;
  guess: StreamMeter['guess'];
  mostInput: StreamMeter['mostInput'];
}

export function makeRegistry(deps: RegistryDeps): Registry {
  const { db, notifier, accounts, catalogue, offers, findAccount, makeModel, extractive, meter, guess, mostInput } =
    deps;
  const presetsOf = cacheUntilNotified(notifier, providersTopic, (tenant_id) => store.listPresets(db, tenant_id));
  // The built-in model is part of the platform, so its requests need no anonymizer.
  const builtInFor = (caller: ModelCaller): ResolvedModel => ({
    info: extractiveInfo,
    addresses: ({ context }) => [
      withAnonymizer(extractive, context ? withCallContext(noAnonymizer, context) : noAnonymizer, {
        meter,
        caller,
        info: extractiveInfo,
        guess,
        mostInput,
      }),
    ],
  });

  const infoOf = (account: ProviderAccount, model: string): ModelInfo => ({
    name: `${account.name}/${model}`,
    provider: account.name,
    model,
    kind: 'llm',
    ...catalogue.facts(account, model),
  });
  const resolved = (caller: ModelCaller, account: ProviderAccount, model: string): ResolvedModel => {
    const info = infoOf(account, model);
    const counter = { meter, caller, info, guess, mostInput };
    return {
      info,
      addresses: (anonymizer) =>
        addressesOf(account).map((address) => withAnonymizer(makeModel(address, model), anonymizer, counter)),
    };
  };

  async function offered(all: readonly ProviderAccount[]): Promise<ModelInfo[]> {
    const lists = await Promise.all(
      all.map(async (account) => (await offers.of(account)).map((model) => infoOf(account, model))),
    );
    return lists.flat();
  }

  async function ofKind(all: readonly ProviderAccount[], kind: OtherKind): Promise<ModelInfo[]> {
    const lists = await Promise.all(
      all.map(async (account) =>
        (await offers.ofKind(account, kind)).map((model) => ({ ...infoOf(account, model), kind, tools: false })),
      ),
    );
    return lists.flat();
  }

  async function resolveName(
    caller: ModelCaller,
    name: string,
    all: readonly ProviderAccount[],
  ): Promise<ResolvedModel | Skipped> {
    if (name === extractiveInfo.name) return builtInFor(caller);
    const named = await findAccount(name, all);
    return 'reason' in named ? { name, ...named } : resolved(caller, named.account, named.model);
  }

  /** The names a preset stands for; undefined when there is no such preset. */
  async function presetModels(scope: Tenant, name: string, all: readonly ProviderAccount[]) {
    const choice = (await presetsOf(scope.tenant_id)).find((row) => row.name === name);
    if (choice) return choice.models;
    return isPresetName(name) ? ranked(await offered(all), name).map((info) => info.name) : undefined;
  }

  async function expand(scope: Tenant, name: string, all: readonly ProviderAccount[]): Promise<string[] | Skipped> {
    if (!name.startsWith('preset:')) return [name];
    if (all.length === 0) return [extractiveInfo.name];
    const models = await presetModels(scope, name.slice('preset:'.length), all);
    if (!models) return { name, reason: `There is no such preset; there are ${presetNames.join(', ')}` };
    if (models.length) return models;
    const failed = all.filter((account) => offers.hasFailed(account)).map((account) => account.name);
    const cause = failed.length ? `${failed.join(', ')} can't be reached or does not list its models; ` : '';
    const providers = all.map((account) => account.name).join(', ');
    const advice = 'list them in `models` at /v1/admin/providers';
    return { name, reason: `No models are known at ${providers}: ${cause}${advice}` };
  }

  return {
    async resolve(scope, names) {
      const all = await accounts.all(scope);
      const models = new Map<string, ResolvedModel>();
      const skipped: Skipped[] = [];
      for (const asked of names) {
        const expanded = await expand(scope, asked, all);
        if (!Array.isArray(expanded)) skipped.push(expanded);
        else
          for (const name of expanded) {
            const resolution = await resolveName(scope, name, all);
            if ('reason' in resolution) skipped.push(resolution);
            else if (!models.has(resolution.info.name)) models.set(resolution.info.name, resolution);
          }
      }
      return { models: [...models.values()], skipped };
    },

    async unknown(scope, names) {
      const all = await accounts.all(scope);
      const isKnown = async (name: string) => {
        if (name.startsWith('preset:')) return Array.isArray(await expand(scope, name, all));
        if (name === extractiveInfo.name) return true;
        const found = await findAccount(name, all);
        if ('reason' in found) return false;
        const models = await offers.of(found.account);
        return models.length === 0 || models.includes(found.model);
      };
      const unknown: string[] = [];
      for (const name of new Set(names)) if (!(await isKnown(name))) unknown.push(name);
      return unknown;
    },

    async pick(scope, preference) {
      const all = await accounts.all(scope);
      if (all.length === 0) return [builtInFor(scope)];
      return ranked(await offered(all), preference).flatMap(({ provider, model }) => {
        const account = all.find(({ name }) => name === provider);
        return account ? resolved(scope, account, model) : [];
      });
    },

    async list(scope, kind = 'llm') {
      const all = await accounts.all(scope);
      const llms = [...(await offered(all)), extractiveInfo];
      if (kind === 'llm') return llms;
      const others = (await Promise.all((kind === 'all' ? otherKinds : [kind]).map((one) => ofKind(all, one)))).flat();
      if (kind !== 'all') return others;
      const names = new Set(others.map(({ name }) => name));
      return [...llms.filter(({ name }) => !names.has(name)), ...others];
    },

    async presets(scope) {
      const all = await accounts.all(scope);
      const infos = await offered(all);
      const choices = new Map((await presetsOf(scope.tenant_id)).map(({ name, models }) => [name, models]));
      return [...new Set([...presetNames, ...choices.keys()])].map((name) => {
        const computed = isPresetName(name) ? ranked(infos, name).map((info) => info.name) : [];
        const words = isPresetName(name)
          ? presetLabels[name]
          : { label: name, description: 'Made by an administrator' };
        const models = all.length === 0 ? [extractiveInfo.name] : (choices.get(name) ?? computed);
        return { name, ...words, models, overridden: choices.has(name) };
      });
    },
  };
}

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
