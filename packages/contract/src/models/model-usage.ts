export interface ModelUsage {
  input_tokens: number;
  /** The part of the input that the provider had in its cache. */
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
}

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error' | 'other';
