import { cutBefore } from '../../../lib/text/cut-text.ts';
import type { Embedder } from '../../embeddings/service.ts';
import type { Anonymizer } from '../../model-calls/ports.ts';

export interface Embedded {
  vectors: (Float32Array | null)[];
  error: string | null;
  /** The length of what came. */
  detected: number | null;
}

/** No provider takes much more at once, and nobody would find anything by the end of it. */
const longest = 30_000;

/**
 * Vectors of texts, so many in one call. What fails leaves texts without one: they are still found by their words.
 */
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
      const some = texts.slice(at, at + batch).map((text) => text.slice(0, cutBefore(text, longest)));
      const made = await embedder.embed(some, anonymizer, signal);
      detected = made[0]?.length ?? detected;
      if (dimension !== null && detected !== dimension)
        return {
          vectors: texts.map(() => null),
          error: `${embedder.name} makes vectors of ${detected} dimensions, not ${dimension}`,
          detected,
        };
      vectors.push(...made);
      await step(vectors.length / texts.length);
    }
    return { vectors, error: null, detected };
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : 'The embedding model failed';
    return { vectors: texts.map((_, index) => vectors[index] ?? null), error: message, detected };
  }
}
