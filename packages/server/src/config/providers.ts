import type { ProviderKind } from '@atrium/contract/models/provider-kinds.ts';
import { z } from 'zod';
import type { ProviderConfig } from '../drivers/providers/driver.ts';
import { addresses, key, names, texts, type Values } from './fields.ts';

/** The variables that configure providers of models. */
export const providerVariables = {
  OPENAI_API_KEY: key('OpenAI'),
  OPENAI_BASE_URL: addresses("Address to use instead of OpenAI's own, spoken to by /chat/completions"),
  OPENAI_MODELS: names('at OPENAI_BASE_URL, instead of asking it for its list'),
  ANTHROPIC_API_KEY: key('Anthropic'),
  ANTHROPIC_BASE_URL: addresses("Address to use instead of Anthropic's own"),
  GOOGLE_API_KEY: key('Google (Gemini)'),
  GOOGLE_BASE_URL: addresses("Address to use instead of Google's own"),
  MISTRAL_API_KEY: key('Mistral'),
  MISTRAL_BASE_URL: addresses("Address to use instead of Mistral's own"),
  AZURE_API_KEY: key('Azure OpenAI'),
  AZURE_BASE_URL: addresses('Address of the Azure OpenAI resource, as https://NAME.openai.azure.com/openai'),
  AZURE_API_VERSION: z
    .string()
    .optional()
    .describe('A dated API version, to speak to Azure deployments in the older way'),
  AZURE_MODELS: names('(deployments) at Azure'),
  BEDROCK_API_KEY: key('Amazon Bedrock, instead of the two AWS keys'),
  BEDROCK_BASE_URL: addresses("Address to use instead of Bedrock's own in AWS_REGION"),
  AWS_REGION: z.string().optional().describe('Region of Amazon Bedrock; Bedrock is used when it and keys are set'),
  AWS_ACCESS_KEY_ID: z.string().optional().describe('AWS key for Amazon Bedrock'),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe('AWS secret for Amazon Bedrock'),
  ATRIUM_PROVIDER_ALLOW: texts().describe(
    'Private hosts, addresses or blocks that providers made by the API may be at (ollama.corp,10.2.0.0/16), besides ATRIUM_WEB_ALLOW; a key with org:admin needs no list',
  ),
  OPENAI_COMPATIBLE_API_KEY: key('the server at OPENAI_COMPATIBLE_BASE_URL, where it wants one'),
  OPENAI_COMPATIBLE_BASE_URL: addresses('Address of any other server that speaks /chat/completions (Ollama, vLLM, …)'),
  OPENAI_COMPATIBLE_MODELS: names('there, instead of asking it for its list'),
};

type ProviderValues = Partial<Values<typeof providerVariables>>;

/** A key or an address is enough to use a provider; Bedrock needs a region and keys. */
export function providersFrom(e: ProviderValues): ProviderConfig[] {
  const account = (
    provider: ProviderKind,
    api_key: string | undefined,
    base_urls: string[] | undefined,
    more: Partial<ProviderConfig> = {},
  ): ProviderConfig[] => {
    if (api_key === undefined && base_urls === undefined) return [];
    const none = { api_version: null, region: null, access_key_id: null, secret_access_key: null, models: [] };
    return [{ ...none, name: provider, provider, base_urls: base_urls ?? [], api_key: api_key ?? null, ...more }];
  };
  const aws = {
    region: e.AWS_REGION ?? null,
    access_key_id: e.AWS_ACCESS_KEY_ID ?? null,
    secret_access_key: e.AWS_SECRET_ACCESS_KEY ?? null,
  };
  const canBedrock = aws.region && (e.BEDROCK_API_KEY || (aws.access_key_id && aws.secret_access_key));
  return [
    ...account('openai', e.OPENAI_API_KEY, e.OPENAI_BASE_URL, { models: e.OPENAI_MODELS ?? [] }),
    ...account('anthropic', e.ANTHROPIC_API_KEY, e.ANTHROPIC_BASE_URL),
    ...account('google', e.GOOGLE_API_KEY, e.GOOGLE_BASE_URL),
    ...account('mistral', e.MISTRAL_API_KEY, e.MISTRAL_BASE_URL),
    ...(e.AZURE_BASE_URL
      ? account('azure', e.AZURE_API_KEY, e.AZURE_BASE_URL, {
          api_version: e.AZURE_API_VERSION ?? null,
          models: e.AZURE_MODELS ?? [],
        })
      : []),
    ...(canBedrock ? account('bedrock', e.BEDROCK_API_KEY, e.BEDROCK_BASE_URL ?? [], aws) : []),
    ...(e.OPENAI_COMPATIBLE_BASE_URL
      ? account('openai-compatible', e.OPENAI_COMPATIBLE_API_KEY, e.OPENAI_COMPATIBLE_BASE_URL, {
          models: e.OPENAI_COMPATIBLE_MODELS ?? [],
        })
      : []),
  ];
}
