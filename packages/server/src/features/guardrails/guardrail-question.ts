/** One question to the guardrail model. */
export interface Question {
  system: string;
  /** One after another they are the question. What is private is looked for in each of them alone. */
  parts: readonly string[];
  max_tokens: number;
  /** What the answer is to look like; whoever reads it does not rely on that. */
  json_schema: Record<string, unknown>;
  signal: AbortSignal;
}

/** Answers what the model said. Rejects when it failed. */
export type Ask = (question: Question) => Promise<string>;
