export interface GeneratedImage {
  data: Uint8Array;
}

/** Makes images from a prompt. It has no retries. */
export interface ImageModel {
  /** Fails with a ModelError. */
  make(prompt: string, size: `${number}x${number}` | undefined, signal: AbortSignal): Promise<GeneratedImage[]>;
}
