export interface Embeddings {
  vectors: Float32Array[];
  /** The tokens that the provider reported; null when it reported none. */
  tokens: number | null;
}

/** Makes vectors of texts. It has no retries: the caller adds them. */
export interface Embedding {
  /**
   * As many vectors as texts, in their order, all of one length. Providers without a choice of `dimensions` ignore it.
   * Fails with a ModelError.
   */
  embed(texts: readonly string[], signal: AbortSignal, dimensions?: number): Promise<Embeddings>;
}

export type EmbeddablePicture = { text: string } | { content_type: string; data: Uint8Array };

/** Makes vectors of texts and pictures in one space: near each other when they have the same subject. */
export interface PictureEmbedding {
  embed(items: readonly EmbeddablePicture[], signal: AbortSignal): Promise<Float32Array[]>;
}
