import type { Attempt } from '@atrium/contract/runs/events.ts';

/** A run that can't go on, in words for the user. Anything else that is thrown is a fault of ours and says nothing. */
export class RunFailure extends Error {
  readonly code: string;
  readonly attempts: readonly Attempt[];

  constructor(code: string, message: string, attempts: readonly Attempt[] = [], cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.attempts = attempts;
  }
}
