/** Why a model is called. Usage, traces and budgets are kept apart by it. */
export const purposes = [
  'reply',
  'guardrail',
  'title',
  'compaction',
  'topic',
  'judge',
  'embedding',
  'rerank',
  'enrichment',
  'image',
  'workflow',
  'evaluation',
  'trial',
] as const;
export type Purpose = (typeof purposes)[number];
