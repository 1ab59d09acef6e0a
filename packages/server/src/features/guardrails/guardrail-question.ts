/** A question to the guardrail model. */
export interface Question {
  system: string;
  /** The parts of the question, in order. Personal data is detected in each part separately. */
  parts: readonly string[];
  max_tokens: number;
  /** The schema that the model is asked to answer with; the reader does not rely on it. */
  json_schema: Record<string, unknown>;
  signal: AbortSignal;
}

/** Returns the answer of the model. Rejects when the model failed. */
export type Ask = (question: Question) => Promise<string>;
