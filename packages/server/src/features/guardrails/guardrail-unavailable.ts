import { AppError } from '@atrium/contract/errors.ts';
import type { Verdict } from './ports.ts';

/**
 * A guardrail that is on could not be asked, so the text may not pass. The message holds neither the text nor words of
 * the provider.
 */
export class GuardrailUnavailable extends AppError {
  /** The guardrail without a verdict; null when none can be asked. */
  readonly category: string | null;
  /** The violations that further guardrails found. */
  violations: readonly Verdict[] = [];

  /** `conflict`: an operator has to configure a model first; `unavailable`: asking again may help. */
  constructor(message: string, category: string | null = null, kind: 'conflict' | 'unavailable' = 'unavailable') {
    super(kind, message, { code: 'guardrail_unavailable' });
    this.category = category;
  }
}
