import type { MissingField, ProviderConfig } from './driver.ts';

export const missingAddress = (provider: string, { base_urls }: Pick<ProviderConfig, 'base_urls'>) =>
  base_urls.length ? undefined : missing('base_urls', `${provider} needs at least one address`);

export const missingKey = (provider: string, { api_key }: Pick<ProviderConfig, 'api_key'>) =>
  api_key ? undefined : missing('api_key', `${provider} needs an api_key`);

const missing = (field: MissingField['field'], reason: string): MissingField => ({ field, reason });
