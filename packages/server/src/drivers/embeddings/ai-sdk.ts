import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import { ModelError } from '../models/driver.ts';
import type { ProviderAddress } from '../providers/driver.ts';
import type { Embedding } from './driver.ts';

function loadEmbeddingModel(address: ProviderAddress, model: string): Promise<EmbeddingModelV4> {
  const { embedding } = address.provider;
  if (!embedding) throw new ModelError('This provider has no embedding models', { status: 404 });
  return embedding(address, model);
}

/** An embedding model at one address of a provider. Nothing is loaded or sent before it is asked. */
export function makeEmbedding(address: ProviderAddress, model: string): Embedding {
  const secrets = [address.api_key, address.secret_access_key, address.access_key_id].filter((text) => text != null);
  return {
    async embed(texts, signal, dimensions) {
      try {
        const embeddingModel = await loadEmbeddingModel(address, model);
        const batch_size = (await embeddingModel.maxEmbeddingsPerCall) ?? texts.length;
        const vectors: Float32Array[] = [];
        let tokens: number | null = null;
        for (let start = 0; start < texts.length; start += batch_size) {
          const { embeddings, usage } = await embeddingModel.doEmbed({
            values: texts.slice(start, start + batch_size),
            abortSignal: signal,
            ...(dimensions !== undefined && { dimensions }),
          });
          for (const embedding of embeddings) vectors.push(Float32Array.from(embedding));
          if (usage) tokens = (tokens ?? 0) + usage.tokens;
        }
        const [first] = vectors;
        if (vectors.length !== texts.length || vectors.some(({ length }) => length === 0 || length !== first?.length))
          throw new ModelError('The provider sent vectors that do not fit the texts');
        return { vectors, tokens };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        // Loaded with the first error: the program starts without the provider packages.
        throw (await import('../models/ai-sdk/sdk-errors.ts')).sdkModelError(error, secrets);
      }
    },
  };
}
