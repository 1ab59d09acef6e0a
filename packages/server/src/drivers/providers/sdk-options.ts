import type { ProviderAddress } from './driver.ts';

/** The options that every provider package takes. Passing all of them keeps the packages from reading the environment. */
export const sdkOptions = ({ provider, base_url, api_key, fetch }: ProviderAddress) => ({
  baseURL: base_url ?? provider.addresses.default ?? '',
  apiKey: api_key ?? '',
  fetch,
});
