import { endianness } from 'node:os';
import type { EmbeddingList, EmbeddingRequest } from '@atrium/contract/completions/embedding-schema.ts';
import { AppError, conflict, invalid, unavailable } from '@atrium/contract/errors.ts';
import { ModelError } from '../../drivers/models/driver.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Anonymizer } from '../model-calls/ports.ts';
import type { Embedders } from './service.ts';

/** Makes vectors for clients of the embeddings protocol. */
export type CreateEmbeddings = (scope: Scope, body: EmbeddingRequest) => Promise<EmbeddingList>;

export interface CreateEmbeddingsDeps {
  embedders: Pick<Embedders, 'resolve'>;
  /** As knowledge bases send texts by default, so that the vectors can be compared with theirs. */
  anonymizer: Anonymizer;
  /** The id under which the usage of an end user is recorded. */
  userId(workspace_id: string, user: string): string;
}

/** 32-bit floats in little-endian order, as clients of the protocol read them. */
function base64Of(vector: Float32Array): string {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  return (endianness() === 'LE' ? bytes : Buffer.from(bytes).swap32()).toString('base64');
}

const modelNotFound = (message: string) => new AppError('not_found', message, { code: 'model_not_found' });

/** Turns a provider's failure into the answer that a client can act on. */
function asAnswer(error: unknown, model: string): unknown {
  if (!(error instanceof ModelError)) return error;
  if (error.status === 404) return modelNotFound(`${model} can't be used for embeddings. ${error.message}`);
  if (error.status === 400 || error.status === 422) return invalid(['body', 'input'], error.message, model);
  if (error.status === 429)
    return new AppError('too_many', `${model}: ${error.message}`, { code: 'provider_rate_limited' });
  return unavailable(`${model}: ${error.message}`, 'model_failed');
}

export function makeCreateEmbeddings({ embedders, anonymizer, userId }: CreateEmbeddingsDeps): CreateEmbeddings {
  async function resolveModel(scope: Scope, { model, user }: EmbeddingRequest) {
    if (model.startsWith('agent:'))
      throw modelNotFound(`"${model}" is an agent; embeddings need an embedding model, named as provider/model`);
    const caller = user ? { ...scope, user_id: userId(scope.workspace_id, user) } : scope;
    const embedder = await embedders.resolve(caller, model === 'default' ? [] : [model]);
    if ('reason' in embedder)
      throw model === 'default' ? conflict(embedder.reason, 'model_not_configured') : modelNotFound(embedder.reason);
    return embedder;
  }

  return async (scope, body) => {
    const { input, dimensions, encoding_format } = body;
    const embedder = await resolveModel(scope, body);
    const { vectors, tokens } = await embedder
      .embedWithUsage(input, anonymizer, scope.signal, dimensions)
      .catch((error: unknown) => {
        throw asAnswer(error, embedder.name);
      });
    const made = vectors[0]?.length;
    if (dimensions !== undefined && made !== dimensions)
      throw invalid(['body', 'dimensions'], `${embedder.name} made vectors of ${made} numbers`, dimensions);
    return {
      object: 'list',
      data: vectors.map((vector, index) => ({
        object: 'embedding',
        index,
        embedding: encoding_format === 'base64' ? base64Of(vector) : [...vector],
      })),
      model: embedder.name,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    };
  };
}
