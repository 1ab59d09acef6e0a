import type { ProviderKind } from '@atrium/contract/models/provider-kinds.ts';

/** What is needed to speak to a provider at one of its addresses. */
export interface ProviderAddress {
  provider: ProviderKind;
  /** null: the provider's own. */
  base_url: string | null;
  api_key: string | null;
  /** Azure: a dated version speaks to deployments in the older way. */
  api_version?: string | null;
  /** Bedrock. */
  region?: string | null;
  access_key_id?: string | null;
  secret_access_key?: string | null;
  /** The only way there: it checks where a connection leads before anything is sent. */
  fetch: typeof fetch;
  /** Forces OpenAI's Responses API at an address that is not OpenAI's own. */
  api?: 'responses';
}

export const defaultBaseUrls: Partial<Record<ProviderKind, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  mistral: 'https://api.mistral.ai/v1',
};

/** Whether an address is the provider's own, where its whole range of models is. */
export function isDefaultAddress(provider: ProviderKind, base_url: string | null): boolean {
  if (base_url === null) return true;
  const own = defaultBaseUrls[provider];
  return own !== undefined && URL.canParse(base_url) && new URL(base_url).host === new URL(own).host;
}

/** A provider as it is configured: the same keys at each of its addresses. */
export interface ProviderConfig extends Required<Omit<ProviderAddress, 'base_url' | 'api' | 'fetch'>> {
  /** What stands before the slash in the names of its models. */
  name: string;
  /** Empty: the provider's own address. */
  base_urls: string[];
  /** The models to offer; empty: those that are known of it. */
  models: string[];
}
