/** Makes vectors of texts. One call, no retries: whoever calls brings those. */
export interface Embedding {
  /** As many vectors as texts, in their order, all of one length. Fails with a ModelError. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}
