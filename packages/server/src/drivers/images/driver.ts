export interface GeneratedImage {
  data: Uint8Array;
}

/** Makes images of words. One call, no retries. */
export interface ImageModel {
  /** Fails with a ModelError. */
  make(prompt: string, size: `${number}x${number}` | undefined, signal: AbortSignal): Promise<GeneratedImage[]>;
}
