/** One question to the guardrail model. */
export interface Question {
  system: string;
  text: string;
  max_tokens: number;
  /** What the answer is to look like; whoever reads it does not rely on that. */
  json_schema: Record<string, unknown>;
  signal: AbortSignal;
}

/** Answers what the model said. Rejects when it failed. */
export type Ask = (question: Question) => Promise<string>;
