export interface Embeddings {
  vectors: Float32Array[];
  /** What the provider counted; null when it does not say. */
  tokens: number | null;
}

/** Makes vectors of texts. One call, no retries: whoever calls brings those. */
export interface Embedding {
  /** As many vectors as texts, in their order, all of one length. Fails with a ModelError. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embeddings>;
}

export type EmbeddablePicture = { text: string } | { content_type: string; data: Uint8Array };

/** Makes vectors of texts and pictures that lie near each other when they are about the same. */
export interface PictureEmbedding {
  embed(items: readonly EmbeddablePicture[], signal: AbortSignal): Promise<Float32Array[]>;
}
