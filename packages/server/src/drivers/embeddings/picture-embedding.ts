import { z } from 'zod';
import { ModelError } from '../models/driver.ts';
import { asModelError } from '../models/model-errors.ts';
import type { ProviderAddress } from '../providers/driver.ts';
import type { EmbeddablePicture, PictureEmbedding } from './driver.ts';

const timeout_ms = 60_000;

const inputOf = (item: EmbeddablePicture) =>
  'text' in item
    ? { text: item.text }
    : { image: `data:${item.content_type};base64,${Buffer.from(item.data).toString('base64')}` };

const vectorList = z.object({
  data: z.array(z.object({ index: z.int().nonnegative().optional(), embedding: z.array(z.number()).min(1) })),
});

/** The vectors of an answer, in the order of the input. */
function vectorsIn(answer: unknown, count: number): Float32Array[] | undefined {
  const data = vectorList.safeParse(answer).data?.data;
  if (data?.length !== count) return undefined;
  const vectors: Float32Array[] = [];
  for (const [at, { index = at, embedding }] of data.entries()) vectors[index] = Float32Array.from(embedding);
  const length = vectors[0]?.length;
  return vectors.length === count && vectors.every((vector) => vector?.length === length) ? vectors : undefined;
}

/**
 * A model for pictures at a server whose `/embeddings` takes `{"text": …}` and `{"image": "data:…"}` as input, which
 * servers of CLIP-like models have in common beside OpenAI's protocol.
 */
export function makePictureEmbedding(address: ProviderAddress, model: string): PictureEmbedding {
  const secrets = [address.api_key].filter((text) => text != null);
  const url = address.base_url ?? address.provider.addresses.default;
  return {
    async embed(items, signal) {
      if (url === undefined || !address.provider.embeds_pictures)
        throw new ModelError('There is no way to embed pictures by this provider', { status: 404 });
      try {
        const response = await address.fetch(`${url.replace(/\/+$/, '')}/embeddings`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(address.api_key && { authorization: `Bearer ${address.api_key}` }),
          },
          body: JSON.stringify({ model, input: items.map(inputOf) }),
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]),
        });
        if (!response.ok) {
          await response.body?.cancel();
          throw new ModelError(`The provider answered ${response.status}`, { status: response.status });
        }
        const vectors = vectorsIn(await response.json(), items.length);
        if (!vectors) throw new ModelError('The provider sent vectors that do not fit the pictures');
        return vectors;
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw error instanceof ModelError ? error : asModelError(error, secrets);
      }
    },
  };
}
