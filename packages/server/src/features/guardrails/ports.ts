import type { GuardrailSettings, Level, Severity, Stage } from '@atrium/contract/safety/categories.ts';
import type { Db } from '../../db/database.ts';

export interface Verdict {
  category: string;
  /** null: it has no levels. */
  level: Level | null;
  flagged: boolean;
  severity: Severity;
  /** Never holds longer pieces of the text. */
  reason: string;
  ms: number;
}

export interface Check {
  verdicts: Verdict[];
  /** Those that flagged. */
  violations: Verdict[];
  ms: number;
}

export interface CheckInput {
  text: string;
  stage: Stage;
  settings: GuardrailSettings;
  signal: AbortSignal;
}

export interface Judge {
  /** All guardrails of the stage at once. Rejects with GuardrailUnavailable when one of them has no verdict. */
  check(input: CheckInput): Promise<Check>;
}

/** Counts one violation on a conversation and locks it at the limit; undefined when the conversation is gone. */
export type CountViolation = (
  tx: Db,
  workspace_id: string,
  conversation_id: string,
  limit: { block_after: number; block_message: string },
) => Promise<ViolationCount | undefined>;

export interface NewViolations {
  workspace_id: string;
  conversation_id: string;
  run_id: string;
  message_id: string | null;
  stage: Stage;
  /** What was done about it. */
  action: string;
  /** Those that flagged. */
  verdicts: readonly { category: string; severity: Severity; reason: string }[];
  /** The conversation is locked at the n-th; 0: never. */
  block_after: number;
  block_message: string;
}

/** How many violations the conversation has now, and whether it is locked. */
export interface ViolationCount {
  violations: number;
  is_locked: boolean;
}
