import { defaultBaseUrls, type ProviderAddress } from './driver.ts';

/** What every package of providers is given: they never read the environment. */
export const sdkOptions = ({ provider, base_url, api_key, fetch }: ProviderAddress) => ({
  baseURL: base_url ?? defaultBaseUrls[provider] ?? '',
  apiKey: api_key ?? '',
  fetch,
});

/** Bedrock finds its address by the region, unless it is given one. */
export const bedrockOptions = (address: ProviderAddress) => ({
  apiKey: address.api_key ?? '',
  fetch: address.fetch,
  region: address.region ?? 'us-east-1',
  accessKeyId: address.access_key_id ?? '',
  secretAccessKey: address.secret_access_key ?? '',
  ...(address.base_url !== null && { baseURL: address.base_url }),
});
