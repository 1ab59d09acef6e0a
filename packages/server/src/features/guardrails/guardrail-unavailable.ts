import { AppError } from '@atrium/contract/errors.ts';
import type { Verdict } from './ports.ts';

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
