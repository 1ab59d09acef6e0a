import { type ProviderKind, providerKinds } from '@atrium/contract/models/provider-kinds.ts';
import type { Catalogue } from './catalogue.ts';
import type { OfferedModels } from './offered-models.ts';
import type { ProviderAccount } from './provider-accounts.ts';

export type Named = { account: ProviderAccount; model: string } | { reason: string };

const variables: Record<ProviderKind, string> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_API_KEY',
  mistral: 'MISTRAL_API_KEY',
  azure: 'AZURE_API_KEY and AZURE_BASE_URL',
  bedrock: 'AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  'openai-compatible': 'OPENAI_COMPATIBLE_BASE_URL',
};

const notConfigured = (provider: string) => {
  const variable = variables[provider as ProviderKind];
  const set = variable ? `set ${variable}, or add it` : 'add it';
  return { reason: `The provider ${provider} is not configured: ${set} at /v1/admin/providers` };
};

/**
 * Whose model a name is. `provider/model` says it; a bare name belongs to the provider that has such a model, else to
 * the server that speaks OpenAI's way, which may have models nobody has heard of.
 */
export async function accountOf(
  name: string,
  accounts: readonly ProviderAccount[],
  catalogue: Catalogue,
  offers: OfferedModels,
): Promise<Named> {
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

  if ((providerKinds as readonly string[]).includes(prefix ?? '')) return notConfigured(prefix as string);
  const open =
    accounts.find((account) => account.provider === 'openai') ??
    accounts.find((account) => account.provider === 'openai-compatible');
  // OpenAI's own address certainly lacks what another maker has.
  if (open && !(offers.isAtHome(open) && family !== undefined && family !== 'openai'))
    return { account: open, model: name };
  if (family !== undefined) return notConfigured(family);
  return {
    reason:
      `No configured provider has a model called ${name}: name it as provider/model, or configure its provider ` +
      'at /v1/admin/providers',
  };
}
