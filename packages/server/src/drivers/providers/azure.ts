import { z } from 'zod';
import { addresses, key, names } from '../../lib/environment-fields.ts';
import { defineProvider } from './define-provider.ts';
import { missingAddress, missingKey } from './missing-fields.ts';
import { responsesTraits } from './openai.ts';
import { sdkOptions } from './sdk-options.ts';

const load = () => import('@ai-sdk/azure');

export const azure = defineProvider({
  name: 'azure',
  environment: {
    variables: {
      AZURE_API_KEY: key('Azure OpenAI'),
      AZURE_BASE_URL: addresses('Address of the Azure OpenAI resource, as https://NAME.openai.azure.com/openai'),
      AZURE_API_VERSION: z
        .string()
        .optional()
        .describe('A dated API version, to speak to Azure deployments in the older way'),
      AZURE_MODELS: names('(deployments) at Azure'),
    },
    hint: 'AZURE_API_KEY and AZURE_BASE_URL',
    account: ({
      AZURE_API_KEY: api_key,
      AZURE_BASE_URL: base_urls,
      AZURE_API_VERSION: api_version,
      AZURE_MODELS: models,
    }) => base_urls && { api_key, base_urls, api_version, models },
  },
  addresses: {
    unlisted: true,
    headers: (api_key) => ({ 'api-key': api_key }),
    missing: (account) => missingAddress('azure', account) ?? missingKey('azure', account),
  },
  names: {},
  async language(address, model) {
    const { createAzure } = await load();
    const { api_version: apiVersion } = address;
    if (!apiVersion || !/^\d{4}-/.test(apiVersion)) return createAzure(sdkOptions(address))(model);
    return createAzure({ ...sdkOptions(address), apiVersion, useDeploymentBasedUrls: true }).chat(model);
  },
  embedding: async (address, model) => (await load()).createAzure(sdkOptions(address)).embeddingModel(model),
  images: async (address, model) => (await load()).createAzure(sdkOptions(address)).imageModel(model),
  traits: () => ({ ...responsesTraits, says_no_reasoning: false }),
});
