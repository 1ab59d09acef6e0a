import { allProviders } from '../drivers/providers/all-providers.ts';
import type { ProviderConfig, ProviderDefinition } from '../drivers/providers/driver.ts';
import { texts } from '../lib/environment-fields.ts';

/** The variables that configure model providers: those of each provider, in the order of the list. */
export const providerVariables = {
  ...Object.fromEntries(allProviders.flatMap(({ environment }) => Object.entries(environment.variables))),
  ATRIUM_PROVIDER_ALLOW: texts().describe(
    'Private hosts, addresses or blocks that providers made by the API may be at (ollama.corp,10.2.0.0/16), besides ATRIUM_WEB_ALLOW; a key with org:admin needs no list',
  ),
};

/** The accounts that the environment configures. */
export function providersFrom(
  values: Readonly<Record<string, unknown>>,
  providers: readonly ProviderDefinition[] = allProviders,
): ProviderConfig[] {
  return providers.flatMap(({ name, environment }) => {
    const account = environment.account(values);
    if (!account) return [];
    const { api_key, base_urls, models, api_version, region, access_key_id, secret_access_key } = account;
    return {
      name,
      provider: name,
      base_urls: base_urls ?? [],
      models: models ?? [],
      api_key: api_key ?? null,
      api_version: api_version ?? null,
      region: region ?? null,
      access_key_id: access_key_id ?? null,
      secret_access_key: secret_access_key ?? null,
    };
  });
}
