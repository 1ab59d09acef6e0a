import { cutBefore } from '../../../lib/text/cut-text.ts';
import type { Embedder } from '../../embeddings/service.ts';
import type { Anonymizer } from '../../model-calls/ports.ts';

export interface Embedded {
  vectors: (Float32Array | null)[];
  error: string | null;
  /** The length of the vectors. */
  detected: number | null;
}

/** Longer texts are cut off, in characters: no provider takes much more. */
const longestText = 30_000;

/** Embeds texts, `batch` in one call. After a failure the rest has no vectors and is found by words only. */
export async function embedChunks(
  embedder: Embedder,
  texts: readonly string[],
  {
    batch,
    dimension,
    anonymizer,
    signal,
  }: { batch: number; dimension: number | null; anonymizer: Anonymizer; signal: AbortSignal },
  step: (done: number) => Promise<void> = async () => {},
): Promise<Embedded> {
  const vectors: (Float32Array | null)[] = [];
  let detected: number | null = null;
  try {
    for (let at = 0; at < texts.length; at += batch) {
      const group = texts.slice(at, at + batch).map((text) => text.slice(0, cutBefore(text, longestText)));
      const embedded = await embedder.embed(group, anonymizer, signal);
      detected = embedded[0]?.length ?? detected;
      if (dimension !== null && detected !== dimension)
        return {
          vectors: texts.map(() => null),
          error: `${embedder.name} makes vectors of ${detected} dimensions, not ${dimension}`,
          detected,
        };
      vectors.push(...embedded);
      await step(vectors.length / texts.length);
    }
    return { vectors, error: null, detected };
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : 'The embedding model failed';
    return { vectors: texts.map((_, index) => vectors[index] ?? null), error: message, detected };
  }
}
