import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import { ModelError } from '../models/driver.ts';
import { asModelError } from '../models/model-errors.ts';
import type { ProviderAddress } from '../providers/driver.ts';
import { bedrockOptions, sdkOptions } from '../providers/sdk-options.ts';
import type { Embedding } from './driver.ts';

/** Each package is loaded when the first model of it is asked. */
async function embeddingModel(address: ProviderAddress, model: string): Promise<EmbeddingModelV4> {
  const common = sdkOptions(address);
  switch (address.provider) {
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(common).embeddingModel(model);
    case 'openai-compatible':
      return (await import('@ai-sdk/openai-compatible'))
        .createOpenAICompatible({ ...common, name: 'compatible' })
        .embeddingModel(model);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogle(common).embeddingModel(model);
    case 'mistral':
      return (await import('@ai-sdk/mistral')).createMistral(common).embeddingModel(model);
    case 'azure':
      return (await import('@ai-sdk/azure')).createAzure(common).embeddingModel(model);
    case 'bedrock':
      return (await import('@ai-sdk/amazon-bedrock'))
        .createAmazonBedrock(bedrockOptions(address))
        .embeddingModel(model);
    case 'anthropic':
      throw new ModelError('This provider has no embedding models', { status: 404 });
  }
}

/** An embedding model at one address of a provider. Nothing is loaded or sent before it is asked. */
export function makeEmbedding(address: ProviderAddress, model: string): Embedding {
  const secrets = [address.api_key, address.secret_access_key, address.access_key_id].filter((text) => text != null);
  return {
    async embed(texts, signal) {
      try {
        const own = await embeddingModel(address, model);
        const most = (await own.maxEmbeddingsPerCall) ?? texts.length;
        const vectors: Float32Array[] = [];
        let tokens: number | null = null;
        for (let at = 0; at < texts.length; at += most) {
          const { embeddings, usage } = await own.doEmbed({ values: texts.slice(at, at + most), abortSignal: signal });
          for (const embedding of embeddings) vectors.push(Float32Array.from(embedding));
          if (usage) tokens = (tokens ?? 0) + usage.tokens;
        }
        const [first] = vectors;
        if (vectors.length !== texts.length || vectors.some(({ length }) => length === 0 || length !== first?.length))
          throw new ModelError('The provider sent vectors that do not fit the texts');
        return { vectors, tokens };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw asModelError(error, secrets);
      }
    },
  };
}
