import { z } from 'zod';
import { addresses, key } from '../../lib/environment-fields.ts';
import { leastClaudeThinking, thinksByBudget } from './anthropic.ts';
import { defineProvider } from './define-provider.ts';
import type { ProviderAddress } from './driver.ts';

/** Bedrock's address follows from its region, unless an address is given. */
const connect = async (address: ProviderAddress) =>
  (await import('@ai-sdk/amazon-bedrock')).createAmazonBedrock({
    apiKey: address.api_key ?? '',
    fetch: address.fetch,
    region: address.region ?? 'us-east-1',
    accessKeyId: address.access_key_id ?? '',
    secretAccessKey: address.secret_access_key ?? '',
    ...(address.base_url !== null && { baseURL: address.base_url }),
  });

export const bedrock = defineProvider({
  name: 'bedrock',
  environment: {
    variables: {
      BEDROCK_API_KEY: key('Amazon Bedrock, instead of the two AWS keys'),
      BEDROCK_BASE_URL: addresses("Address to use instead of Bedrock's own in AWS_REGION"),
      AWS_REGION: z.string().optional().describe('Region of Amazon Bedrock; Bedrock is used when it and keys are set'),
      AWS_ACCESS_KEY_ID: z.string().optional().describe('AWS key for Amazon Bedrock'),
      AWS_SECRET_ACCESS_KEY: z.string().optional().describe('AWS secret for Amazon Bedrock'),
    },
    hint: 'AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    account({
      BEDROCK_API_KEY: api_key,
      BEDROCK_BASE_URL: base_urls,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: access_key_id,
      AWS_SECRET_ACCESS_KEY: secret_access_key,
    }) {
      const has_keys = api_key || (access_key_id && secret_access_key);
      return region && has_keys ? { api_key, base_urls, region, access_key_id, secret_access_key } : undefined;
    },
  },
  addresses: {
    unlisted: true,
    missing({ region, api_key, access_key_id, secret_access_key }) {
      if (!region) return { field: 'region', reason: 'bedrock needs a region' };
      if (api_key || (access_key_id && secret_access_key)) return undefined;
      return { field: 'api_key', reason: 'bedrock needs an api_key, or access_key_id and secret_access_key' };
    },
  },
  names: { family: /^((global|us|eu|apac)\.)?(anthropic|amazon|meta|cohere|ai21)\./ },
  language: async (address, model) => (await connect(address))(model),
  embedding: async (address, model) => (await connect(address)).embeddingModel(model),
  traits: (_, model) => ({
    options: () => ({ key: 'amazonBedrock', values: {} }),
    // Other models there refuse the marker.
    ...(/anthropic|nova/.test(model) && { cache_marker: { amazonBedrock: { cachePoint: { type: 'default' } } } }),
    says_no_reasoning: /anthropic/.test(model),
    ...(/anthropic/.test(model) &&
      thinksByBudget(model) && {
        thinking_budget: {
          least: leastClaudeThinking,
          added: true,
          options: (budgetTokens) => ({ reasoningConfig: { type: 'enabled', budgetTokens } }),
        },
      }),
    needs_thoughts: /anthropic/.test(model),
  }),
});
