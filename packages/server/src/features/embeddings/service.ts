import type { EmbeddablePicture, Embedding, Embeddings, PictureEmbedding } from '../../drivers/embeddings/driver.ts';
import type { ProviderAddress } from '../../drivers/providers/driver.ts';
import { throwIfFinal } from '../../lib/budget-reached.ts';
import type { Anonymizer, Meter, ModelCaller } from '../model-calls/ports.ts';
import { anonymizeTexts, meterCall } from '../model-calls/service.ts';
import type { ModelLocator } from '../models/ports.ts';

/** An embedding model whose texts go through an anonymizer. */
export interface Embedder {
  /** provider/model */
  name: string;
  embed(texts: readonly string[], anonymizer: Anonymizer, signal: AbortSignal): Promise<Float32Array[]>;
  /** Also returns the tokens of the texts, estimated when the provider reports none. */
  embedWithUsage(
    texts: readonly string[],
    anonymizer: Anonymizer,
    signal: AbortSignal,
    dimensions?: number,
  ): Promise<{ vectors: Float32Array[]; tokens: number }>;
}

/** A model that makes vectors of pictures, and of texts to find them by. */
export interface PictureEmbedder {
  name: string;
  embedPictures(
    pictures: readonly { content_type: string; data: Uint8Array }[],
    signal: AbortSignal,
  ): Promise<Float32Array[]>;
  embed(text: string, anonymizer: Anonymizer, signal: AbortSignal): Promise<Float32Array>;
}

export interface Embedders {
  /** The first of them that is configured and may be asked about pictures; or why there is none. */
  resolvePictureModel(caller: ModelCaller, names: readonly string[]): Promise<PictureEmbedder | { reason: string }>;
  /** The names in force: those asked for, else the default one; empty when there is none. */
  effectiveNames(names: readonly string[]): readonly string[];
  /** The first of them that is configured; or why there is none. */
  resolve(caller: ModelCaller, names: readonly string[]): Promise<Embedder | { reason: string }>;
}

export interface EmbedderDeps {
  locateModel: ModelLocator;
  makeEmbedding(address: ProviderAddress, model: string): Embedding;
  makePictureEmbedding(address: ProviderAddress, model: string): PictureEmbedding;
  /** `ATRIUM_EMBEDDING_MODEL`. */
  default_model(): string | undefined;
  /** Records every call. */
  meter: Meter;
  guess(texts: readonly string[]): number;
}

/** The answer of the first address that answers. */
async function firstOf<M, T>(models: readonly M[], ask: (model: M) => Promise<T>, signal: AbortSignal): Promise<T> {
  let failure: unknown = new Error('The model has no address');
  for (const model of models) {
    signal.throwIfAborted();
    try {
      return await ask(model);
    } catch (error) {
      throwIfFinal(error);
      failure = error;
    }
  }
  throw failure;
}

export function makeEmbedders(deps: EmbedderDeps): Embedders {
  const { locateModel, makeEmbedding, makePictureEmbedding, default_model, meter, guess } = deps;
  const effectiveNames = (names: readonly string[]) => {
    const asked = names.filter((name) => name !== 'atrium/none');
    const standard = default_model();
    return asked.length ? asked : standard === undefined ? [] : [standard];
  };
  return {
    effectiveNames,
    async resolvePictureModel(caller, names) {
      let reason = 'No model for pictures is configured';
      for (const name of names) {
        const located = await locateModel(caller, name);
        if ('reason' in located) {
          reason = located.reason;
          continue;
        }
        const models = located.addresses.map((address) => makePictureEmbedding(address, located.model));
        const { name: fullName, price } = located;
        const ask = (items: readonly EmbeddablePicture[], signal: AbortSignal, context?: Anonymizer['context']) => {
          const texts = items.flatMap((item) => ('text' in item ? item.text : []));
          const call = { caller, context, purpose: 'embedding' as const, model: fullName, price, texts };
          // Only the provider knows how many tokens a picture has.
          const used = () => ({ tokens: 0, estimated: true });
          return firstOf(
            models,
            (model) => meterCall(meter, call, signal, () => model.embed(items, signal), used),
            signal,
          );
        };
        return {
          name: fullName,
          embedPictures: (pictures, signal) => ask(pictures, signal),
          async embed(text, anonymizer, signal) {
            const [outgoing = ''] = await anonymizeTexts([text], anonymizer);
            const [vector] = await ask([{ text: outgoing }], signal, anonymizer.context);
            if (!vector) throw new Error('The provider sent no vector');
            return vector;
          },
        };
      }
      return { reason };
    },
    async resolve(caller, names) {
      let reason = 'No embedding model is configured: name one as provider/model, or set ATRIUM_EMBEDDING_MODEL';
      for (const name of effectiveNames(names)) {
        const located = await locateModel(caller, name);
        if ('reason' in located) {
          reason = located.reason;
          continue;
        }
        const models = located.addresses.map((address) => makeEmbedding(address, located.model));
        const { name: fullName, price } = located;
        const embedWithUsage: Embedder['embedWithUsage'] = async (texts, anonymizer, signal, dimensions) => {
          const outgoing = await anonymizeTexts(texts, anonymizer);
          const { context } = anonymizer;
          const call = { caller, context, purpose: 'embedding' as const, model: fullName, price, texts: outgoing };
          const used = ({ tokens }: Embeddings) => ({
            tokens: tokens ?? guess(outgoing),
            estimated: tokens === null,
          });
          const ask = (model: Embedding) =>
            meterCall(meter, call, signal, () => model.embed(outgoing, signal, dimensions), used);
          const answer = await firstOf(models, ask, signal);
          return { vectors: answer.vectors, tokens: used(answer).tokens };
        };
        return {
          name: fullName,
          embedWithUsage,
          embed: async (...asked) => (await embedWithUsage(...asked)).vectors,
        };
      }
      return { reason };
    },
  };
}
