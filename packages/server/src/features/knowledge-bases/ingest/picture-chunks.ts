import type { KbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import type { Extracted } from '../../../drivers/extractors/driver.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Embedders } from '../../embeddings/service.ts';
import type { NewChunk } from './training-store.ts';

const [mostPictures, mostBytes] = [200, 8 * 1024 * 1024];

/** Makes a passage of each picture of a document, with the vector of a multimodal model. */
export async function pictureChunks(
  embedders: Embedders,
  scope: Scope,
  settings: KbSettings,
  extracted: Extracted,
  from: number,
): Promise<{ chunks: NewChunk[]; notes: string[] }> {
  const pictures = extracted.images
    .filter(({ data, content_type }) => content_type.startsWith('image/') && data.length <= mostBytes)
    .slice(0, mostPictures);
  if (settings.mm_embedding_model.length === 0 || pictures.length === 0) return { chunks: [], notes: [] };
  const embedder = await embedders.resolvePictureModel(scope, settings.mm_embedding_model);
  if ('reason' in embedder) return { chunks: [], notes: [`Its pictures were not embedded: ${embedder.reason}`] };
  const vectors: Float32Array[] = [];
  try {
    for (let at = 0; at < pictures.length; at += settings.batch_size)
      vectors.push(...(await embedder.embedPictures(pictures.slice(at, at + settings.batch_size), scope.signal)));
  } catch (error) {
    scope.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : 'the model failed';
    return { chunks: [], notes: [`Its pictures were not embedded: ${reason}`] };
  }
  const chunks = pictures.map(
    ({ name, alt, page, at }, index): NewChunk => ({
      id: newId(),
      position: from + index,
      content: `Image: ${alt || name}`,
      start: at,
      end: at,
      page,
      end_page: page,
      headings: [],
      context: '',
      questions: [],
      embedding: vectors[index] ?? null,
      seen_by: embedder.name,
    }),
  );
  return { chunks, notes: [] };
}
