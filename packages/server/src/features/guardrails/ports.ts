import { AppError } from '@atrium/contract/errors.ts';
import type { Severity, Stage } from '@atrium/contract/safety/categories.ts';
import type { Db } from '../../db/database.ts';
import type { Verdict } from './judge.ts';

/**
 * A guardrail that is on could not be asked, so nothing may pass. The words are ours: neither the text that was to be
 * checked nor what the provider said about it.
 */
export class GuardrailUnavailable extends AppError {
  /** The guardrail that got no verdict; null when none of them can be asked. */
  readonly category: string | null;
  /** What the guardrails that did answer have flagged. */
  violations: readonly Verdict[] = [];

  /** `conflict`: somebody has to configure a model first; `unavailable`: asking again may help. */
  constructor(message: string, category: string | null = null, kind: 'conflict' | 'unavailable' = 'unavailable') {
    super(kind, message, { code: 'guardrail_unavailable' });
    this.category = category;
  }
}

/** Counts one violation on a conversation and locks it at the limit; undefined when the conversation is gone. */
export type CountViolation = (
  tx: Db,
  workspace_id: string,
  conversation_id: string,
  limit: { block_after: number; block_message: string },
) => Promise<{ violations: number; is_locked: boolean } | undefined>;

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
