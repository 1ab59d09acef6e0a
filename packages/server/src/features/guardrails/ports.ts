import type { GuardrailSettings, Level, Severity, Stage } from '@atrium/contract/safety/categories.ts';
import type { Db } from '../../db/database.ts';

export interface Verdict {
  category: string;
  /** Null when the guardrail has no levels. */
  level: Level | null;
  flagged: boolean;
  severity: Severity;
  /** Never holds longer pieces of the text. */
  reason: string;
  ms: number;
}

export interface Check {
  verdicts: Verdict[];
  /** The verdicts that flagged the text. */
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
  /** Asks all guardrails of the stage at once. Rejects with GuardrailUnavailable when one has no verdict. */
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
  /** The action that the run took. */
  action: string;
  /** The verdicts that flagged the text. */
  verdicts: readonly { category: string; severity: Severity; reason: string }[];
  /** The conversation is locked at this number of violations; 0: never. */
  block_after: number;
  block_message: string;
}

/** How many violations the conversation has now, and whether it is locked. */
export interface ViolationCount {
  violations: number;
  is_locked: boolean;
}
